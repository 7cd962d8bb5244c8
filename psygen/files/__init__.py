"""Files people bring and files people take: tables of concepts, sheets, exports."""
