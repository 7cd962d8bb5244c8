# The benchmark's datasets for OpenCompass. In a run config that lies beside this file:
#     with read_base():
#         from .psygen_datasets import psygen_datasets
# CEvalDataset reads $COMPASS_DATA_CACHE/ceval/{dev,val,test}/NAME_SPLIT.csv: set COMPASS_DATA_CACHE to this export.
# mmengine writes a config out and reads it again, so nothing but data and one module an import may stand here.
"""One OpenCompass dataset for each subject, with demonstrations from dev."""

from mmengine.config import read_base
from opencompass.datasets import CEvalDataset
from opencompass.openicl.icl_evaluator import AccEvaluator
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import FixKRetriever
from opencompass.utils.text_postprocessors import first_option_postprocess

with read_base():
    from .psygen_subjects import psygen_split, psygen_subjects

psygen_datasets = [
    {
        "type": CEvalDataset,
        "path": "ceval",
        "name": subject["name"],
        "local_mode": True,
        "abbr": "psygen-" + subject["name"],
        "reader_cfg": {
            "input_columns": ["question", "A", "B", "C", "D"],
            "output_column": "answer",
            "train_split": "dev",
            "test_split": psygen_split,
        },
        "infer_cfg": {
            "ice_template": {
                "type": PromptTemplate,
                "template": {
                    "begin": "</E>",
                    "round": [{"role": "HUMAN", "prompt": subject["prompt"]}, {"role": "BOT", "prompt": "{answer}"}],
                },
                "ice_token": "</E>",
            },
            "retriever": {"type": FixKRetriever, "fix_id_list": subject["demonstrations"]},
            "inferencer": {"type": GenInferencer, "max_out_len": 16},
        },
        "eval_cfg": {
            "evaluator": {"type": AccEvaluator},
            "pred_postprocessor": {"type": first_option_postprocess, "options": "ABCD"},
        },
    }
    for subject in psygen_subjects
]
