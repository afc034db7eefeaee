"""The keys, tags and tokens that hold an answer, those that hold reasoning, and those that hold remarks.

Keys are compared folded, without spaces, hyphens and underscores; tags without regard to case.
"""

from cmb_harness.grammar.words import Table

# Names of reasoning tags, in any brackets: <think>, </thinking>, [THINK], ◁think▷, <|begin_of_thought|>, <seed:think>.
REASONING_TAGS: Table = {
    "think": "thinking|think|thoughts|thought|thought_process|ponder|deliberation|brainstorm",
    "reason": "reasoning|reason|rationale|explanation|chain_of_thought|cot|reflection|reflect|analysis|"
    "analyze",
    "inner": "inner_monologue|inner_thoughts|internal_thoughts|internal_reasoning|internal|scratchpad|"
    "scratch_pad|planning|plan",
}
ANSWER_TAGS: Table = {
    "answer": "answer|final_answer|finalanswer|final|final_choice|response|output|result|conclusion|"
    "solution|prediction|verdict|box",
    "choice": "choice|option|selected_option|letter|moment|clip",
    "span": "span|segment|interval|timestamp|timestamps|time|time_range",
}
# One of these tags for each of several things is a list of them, not an answer given several times.
LISTED_TAGS: Table = {"choice": "option", "span": "time|timestamp"}
CHOICE_KEYS: Table = {
    "answer": "answer|finalanswer|correctanswer|bestanswer|prediction|predicted|pred|result|response|"
    "output|guess|bestguess|final|decision|verdict|ans",
    "choice": "choice|finalchoice|option|selectedoption|correctoption|selected|selection|chosen|moment|"
    "clip|video",
    "letter": "letter|answerletter|optionletter|label",
    "number": "index|answerindex|optionindex|momentindex|number|momentnumber|optionnumber",
    "name": "name|concept|answertext|optiontext",
}
SPAN_KEYS: Table = {
    "answer": "answer|finalanswer|prediction|predicted|result|response|output|predictedspan|finalspan",
    "span": "span|spans|timespan|segment|segments|interval|timeinterval|range|timerange|window|"
    "timewindow|period",
    "time": "timestamps|timestamp|times|time|moment|event|clip|location",
}
# Prose in JSON: no answer where an answer key stands beside it.
REMARK_KEYS: Table = {
    "reason": "reasoning|reason|reasons|explanation|explain|rationale|analysis|thought|thoughts|"
    "thinking|justification|evidence|steps",
    "remark": "comment|comments|note|notes|observation|observations|summary|caption|description|context",
    "question": "query|question|event|title|cue",
}
