"""The shared task on the hidden test: what a phase asks, what a team sends, what the organisers say of it.

`asked` (the items, without keys) → `submission` (a file checked, labels unread) → `scoring` (a pure function of the
checked file, the key table and the policy).
"""
