"""Any OpenAI-compatible server. asyncio lives in this room and nowhere else."""
