"""Parts of all methods: the table of tasks, networks, objectives, and the loop that trains them."""

from mtlbook_lib._extras import require

require("simulation", "torch")
