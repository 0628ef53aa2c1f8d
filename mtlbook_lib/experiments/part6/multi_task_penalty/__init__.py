"""What multi-task networks minimise."""

from mtlbook_lib.experiments.part6.multi_task_penalty.stored import run

__all__ = ["run"]
