"""How lines of free text announce their part, as patterns over the shadow of a page."""

import re

from psygen.replies.page import BLOT

# Everything here runs over a model's text, so every repetition is possessive or bounded: no pattern backtracks.
_S = r"[ \t]*+"
_STARS = r"(?:\*{1,3}+)?+"
_SIGNS = "✅✔☑✓📌📝💡🔑👉➡★☆※■▶◆🎯📖"
_BULLET = rf"[ \t>]*+(?:[-+•●▪◆]{_S}(?=\S)|\*[ \t]++)?+(?:\#{{1,6}}{_S})?+"
_LEAD = rf"{_BULLET}(?:[{_SIGNS}]\ufe0f?{_S})?+{_STARS}{_S}[【\[(《<「]?+{_S}{_STARS}"
_TAIL = (
    rf"{_S}(?P<stars>{_STARS}){_S}(?P<close>[】\])》>」]?+){_S}(?P<stars2>{_STARS}){_S}"
    rf"(?P<colon>[:.、]?+){_S}{_STARS}{_S}"
)
HAN = "一二三四五六七八九十"
_N = rf"(?:\d{{1,3}}+|[{HAN}]{{1,3}}+)"

ANSWER = re.compile(
    rf"{_LEAD}(?P<word>(?:本题|该题)?(?:的)?(?:正确|参考|标准|最佳)?(?:答案|选项)(?P<both>(?:与|及|和|、|&|/){_S}解析)?|"
    rf"(?:the[ ])?(?:correct[ ]|right[ ]|best[ ])?(?:answers?|option)(?:[ ]keys?)?|ans|key)"
    rf"{_S}(?P<verb>是|为|应为|应选|应该选|选|is\b)?{_TAIL}",
    re.IGNORECASE,
)
EXPLANATION = re.compile(
    rf"{_LEAD}(?P<word>(?:答案|试题|题目|本题|详细|参考)?(?:解析|详解)|解题(?:思路|过程)|"
    r"(?:detailed[ ])?explanations?|rationale)"
    rf"{_TAIL}",
    re.IGNORECASE,
)
ASIDE = re.compile(
    rf"{_LEAD}(?P<word>(?:答案|选项|题目)?(?:分析|解释|说明)|理由|点评|思路|解答|reason(?:ing)?|analysis|why|justification){_TAIL}",
    re.IGNORECASE,
)
CASE = re.compile(
    rf"{_LEAD}(?P<word>(?:背景|案例|共用)?(?:案例|情境|情景|材料|背景|题干材料|个案)(?:描述|背景|材料|资料)?|共用题干|"
    rf"case(?:[ ]study|[ ]description)?|scenario|vignette|background|passage){_S}(?:{_N}|[A-F](?![A-Za-z]))?+{_TAIL}",
    re.IGNORECASE,
)
READING = re.compile(
    rf"{_LEAD}(?:(?:请)?(?:阅读|根据|依据|结合|分析)(?:以下|下列|下面|下述)|\d{{1,3}}{_S}[-~—–至到]{_S}\d{{1,3}}{_S}题?(?:共用|基于|根据)|"
    r"(?:read|use|consider|refer to)[ ]the[ ](?:following|passage|case|scenario))",
    re.IGNORECASE,
)
READ_NOUN = re.compile(r"案例|材料|资料|情境|情景|个案|题干|case|scenario|passage|vignette|information", re.IGNORECASE)
RANGE = re.compile(
    rf"(\d{{1,3}}){_S}(?:[-~—–至到]|to|and|和|、){_S}(?:第{_S})?(\d{{1,3}}){_S}(?:小?题|个|\)|$|[.:。,;])",
    re.IGNORECASE,
)
STEM = re.compile(
    rf"{_LEAD}(?P<word>题干|题目|问题|试题|提问|设问|题目内容|question|stem|problem){_TAIL}", re.IGNORECASE
)
OPTIONS = re.compile(
    rf"{_LEAD}(?P<word>(?:备选)?选项|备选答案|候选答案|(?:answer[ ])?(?:options|choices)){_TAIL}$", re.IGNORECASE
)
META = re.compile(
    rf"{_LEAD}(?P<word>题型|题目类型|类型|难度(?:系数|等级)?|知识点|考查?点|考察点|考查(?:内容|知识点)|认知(?:水平|层次|层级)|能力层次|章节|分值|"
    rf"(?:question[ ])?type|difficulty|(?:cognitive[ ])?level|topic|concept|domain){_TAIL}",
    re.IGNORECASE,
)
RULE = re.compile(
    rf"{_S}(?:-{{3,}}+|\*{{3,}}+|_{{3,}}+|={{3,}}+|—{{3,}}+|~{{3,}}+|(?:-[ ]){{2,}}+-|(?:\*[ ]){{2,}}+\*){_S}$"
)
FENCE = re.compile(rf"{_S}(?:```|~~~)[\w+-]*+{_S}$")
MARKDOWN_HEADING = re.compile(rf"[ ]{{0,3}}\#{{1,6}}{_S}(?=\S)")
SECTION = re.compile(
    rf"{_S}{_STARS}{_S}(?:[(]?[{HAN}]{{1,3}}[)]?{_S}[、.:]?|第[{HAN}\d]{{1,3}}(?:部分|节|章|大题)|part[ ][IVX\d]+)"
    r"(?P<name>[^\n]{0,60})$",
    re.IGNORECASE,
)
SECTION_NAME = re.compile(r"题|部分|选择|案例|计算|questions|^[\s*:、.]*$", re.IGNORECASE)
CLOSING = re.compile(
    rf"{_S}{_STARS}(?:以上(?:题目|试题|各题|[{HAN}\d]{{1,3}}{_S}(?:道|个)|就?是(?:为[您你]|我|根据|本次|全部|[{HAN}\d]{{1,3}}{_S}道))|"
    rf"希望(?:这|以上|对[您你]|能)|如需|若需|如有|(?:如果|若)(?:[您你])?(?:还)?(?:需要|想要|有其他)|需要我|是否需要|祝[您你]|请告诉我|"
    rf"这(?:些|[{HAN}\d]{{1,3}}道)(?:题|试题)|I[ ]hope|hope[ ]th|let[ ]me[ ]know|feel[ ]free|"
    r"these[ ](?:questions|items)|"
    rf"would[ ]you[ ]like|if[ ]you(?:'d|[ ]would|[ ]need|[ ]want))",
    re.IGNORECASE,
)
_NUMBER_LEAD = rf"(?P<lead>[ \t>]*+(?:\#{{1,6}}{_S})?+)(?P<open>{_STARS}){_S}"
NUMBERS = {
    "word": re.compile(
        rf"(?P<lead>[ \t>]*+(?:[-+•●▪◆]{_S}|\*[ \t]++)?+(?:\#{{1,6}}{_S})?+)(?P<open>{_STARS}){_S}[【\[(]?+{_S}"
        rf"(?:第{_S}(?P<a>{_N}){_S}(?:小|道)?[题问]|(?:(?:单项|单|多项)?选择?题|题目|试题|问题|例题|(?:案例|计算|理论)(?:分析)?题|题|"
        rf"question|problem|item|mcq|q){_S}[#.№]?{_S}(?P<b>{_N}))(?![\w{BLOT}])"
        rf"{_S}(?P<note>(?:[(\[【][^()\[\]【】\n]{{0,20}}+[)\]】])?+){_TAIL}",
        re.IGNORECASE,
    ),
    "dot": re.compile(rf"{_NUMBER_LEAD}(?P<a>\d{{1,3}}+){_S}(?P<sep>、|[.:)](?!\d))\)?+{_S}(?P<stars>{_STARS}){_S}"),
    "bracket": re.compile(rf"{_NUMBER_LEAD}[(\[【]{_S}(?P<a>\d{{1,3}}+){_S}[)\]】][.、:]?+{_S}(?P<stars>{_STARS}){_S}"),
    "bare": re.compile(rf"{_NUMBER_LEAD}(?P<a>{_N})(?:(?P<stars>\*{{2}}){_S}[.、:]?+{_S}|{_S}$)"),
    "han": re.compile(rf"{_NUMBER_LEAD}[(]?(?P<a>[{HAN}]{{1,3}}+)[、.)](?!\d)[、.]?+{_S}(?P<stars>{_STARS}){_S}"),
}


LAST_OPTION = re.compile(r"(?:^|[ \t(*])D[ ]?[.、:)]")
BEHIND = re.compile(
    r"(?<=[ \t])[【*(]{0,3}(?:正确|参考)?(?:答案|(?:Correct )?Answer)[】*)]{0,3}[ ]?[:】][ \t*]*+"
    r"(?=[(]?[A-Ha-h](?![A-Za-z]))"
)
