"""The words that the parser knows, one line a language: a new language or marker is one more line or one more word.

A table maps a language to its phrases, separated by ``|``. Phrases are written as people write them; ``one_of`` folds them
as the text is folded, so case and Latin marks do not matter. Words of scripts that put spaces between words match whole
words only. Where a table is empty for a language, its speakers say it with punctuation.
"""

import re
from collections.abc import Mapping
from functools import cache

from cmb_harness.parsing_text import fold, normal_text

Table = Mapping[str, str]

# --- choices -------------------------------------------------------------------------------------------------------

# Nouns that announce the final answer when a copula, a colon or a line break follows.
FINAL: Table = {
    "en": "answer|answers|final answer|final choice|final decision|final selection|final option|final prediction|my answer|my choice"
    "|my pick|my selection|my guess|my best guess|best guess|best answer|best choice|best option|best match|best fit|closest match"
    "|correct answer|correct option|correct choice|correct one|correct moment|correct clip|correct letter|right answer|right option"
    "|right choice|right moment|most likely answer|most likely option|most likely|option that|option which|moment that|clip that"
    "|choice that|one that|prediction|my prediction|my verdict|verdict|selected option|selected answer|selection|ans"
    "|my final answer|my response|here is my response|my conclusion",
    "id": "jawaban|jawabannya|jawaban akhir|jawaban yang benar|jawaban yang tepat|jawaban saya|jawab|pilihan yang tepat|pilihan yang benar"
    "|opsi yang benar|opsi yang tepat|pilihan saya|kesimpulan|kesimpulannya|momen yang tepat",
    "ms": "jawapan|jawapannya|jawapan akhir|jawapan yang betul|jawapan yang tepat|jawapan saya|pilihan yang betul|pilihan terbaik",
    "fil": "sagot|ang sagot|ang sagot ko|ang tamang sagot|tamang sagot|panghuling sagot|huling sagot|pinal na sagot|kasagutan|ang aking sagot"
    "|ang tamang opsyon|ang tamang pagpipilian",
    "vi": "đáp án|đáp án đúng|đáp án cuối cùng|đáp án của tôi|câu trả lời|câu trả lời đúng|câu trả lời cuối cùng|câu trả lời của tôi|trả lời"
    "|lựa chọn đúng|phương án đúng|lựa chọn của tôi|kết luận|đáp số",
    "th": "คำตอบ|คำตอบสุดท้าย|คำตอบที่ถูกต้อง|คำตอบที่ถูก|คำตอบของฉัน|ข้อที่ถูกต้อง|ข้อที่ถูก|ตัวเลือกที่ถูกต้อง|เฉลย|สรุป",
    "km": "ចម្លើយ|ចំលើយ|ចម្លើយចុងក្រោយ|ចម្លើយត្រឹមត្រូវ|ចម្លើយដែលត្រឹមត្រូវ|ចម្លើយរបស់ខ្ញុំ|ជម្រើសត្រឹមត្រូវ|ជម្រើសដែលត្រឹមត្រូវ",
    "my": "အဖြေ|အဖြေမှန်|နောက်ဆုံးအဖြေ|မှန်ကန်သောအဖြေ|မှန်ကန်သော အဖြေ|ကျွန်ုပ်၏အဖြေ|ရွေးချယ်မှု",
    "lo": "ຄຳຕອບ|ຄໍາຕອບ",
    "zh": "答案|最终答案|最終答案|正确答案|正確答案|正确选项|正確選項|最佳选项|最佳答案|我的答案|回答|答|结论|所以答案",
    "ja": "答え|答|回答|解答|正解|最終回答|最終的な答え|最終的な回答|最終解答|正しい選択肢|結論",
    "ko": "정답|답|답변|최종 답변|최종 답|최종답|최종 정답|결론|대답",
    "de": "antwort|endgültige antwort|richtige antwort|korrekte antwort|meine antwort|lösung|richtige option|fazit|ergebnis",
    "fr": "réponse|réponse finale|bonne réponse|réponse correcte|ma réponse|la bonne option|bonne option",
    "es": "respuesta|respuesta final|respuesta correcta|mi respuesta|opción correcta|la opción correcta|conclusión",
    "pt": "resposta|resposta final|resposta correta|minha resposta|alternativa correta|opção correta",
    "it": "risposta|risposta finale|risposta corretta|la mia risposta|opzione corretta",
    "nl": "antwoord|het juiste antwoord|mijn antwoord",
    "tr": "cevap|yanıt|doğru cevap|doğru yanıt",
    "pl": "odpowiedź|poprawna odpowiedź",
    "ru": "ответ|правильный ответ|окончательный ответ|мой ответ",
    "ar": "الإجابة|الجواب|الإجابة الصحيحة|الإجابة النهائية",
    "hi": "उत्तर|सही उत्तर|अंतिम उत्तर|जवाब",
    "ta": "பதில்|சரியான பதில்|விடை",
    "sign": "####",
}
# The same, but only before a colon or an equals sign: alone they are ordinary nouns.
FINAL_BEFORE_COLON: Table = {
    "en": "choice|option|selected|chosen|pick|guess|conclusion|response|result|output|letter|correct|right|final|solution|decision|therefore"
    "|my final decision|match|label",
    "id": "pilihan|opsi|hasil|benar",
    "vi": "lựa chọn|phương án|kết quả|chọn",
    "th": "ตัวเลือก|ผลลัพธ์",
    "zh": "选择|选项|結論|结果",
    "de": "wahl|auswahl",
    "fr": "choix|conclusion",
    "es": "elección|opción|resultado",
}
# Verbs of choice and corrections: the option follows at once.
CHOOSING: Table = {
    "en": "i choose|i chose|i would choose|i'd choose|i will choose|i'll choose|i select|i would select|i'd select|i selected|i pick|i picked"
    "|i would pick|i'd pick|i'll pick|i'll select|go with|going with|went with|i opt for|opt for|opting for|i vote for|i'd say|i would say"
    "|i would answer|i'd answer|i answer|i settle on|settle on|i would guess|i'd guess|i guess|i conclude|i choose option|we choose|we select"
    "|leaning towards|leaning toward|lean towards|i'm going for|i am confident|let's go with|my vote is for|choose|select|pick",
    "correction": "no, actually|actually|wait, no|no wait|no, wait|scratch that|correction|i mean|i meant|make that|on second thought|on reflection"
    "|rather, it is|sorry, i mean|i stand corrected|no, it is|no, it's|eh, bukan,|不对，|いや、|아니,",
    "id": "saya memilih|saya pilih|memilih|pilih|saya akan memilih|saya jawab",
    "ms": "saya memilih|saya pilih|pilih",
    "fil": "pinipili ko|pinipili ko ang|pipiliin ko|pipiliin ko ang|ang pipiliin ko|pinili ko|pinili ko ang",
    "vi": "tôi chọn|em chọn|tôi sẽ chọn|mình chọn|ta chọn|nên chọn|chọn",
    "th": "ฉันเลือก|ผมเลือก|ขอเลือก|เลือก|ขอตอบ|ตอบ|ตอบว่า",
    "km": "ខ្ញុំជ្រើសរើស|ជ្រើសរើស|ខ្ញុំជ្រើស|ជ្រើស",
    "my": "ကျွန်တော်ရွေး|ကျွန်မရွေး|ရွေးချယ်",
    "zh": "我选择|我选|我選擇|我選|故选|應選|应选|应选择|选择|所以选|因此选|选|選",
    "ja": "選ぶなら|選択は|選択します",
    "ko": "선택은|제 선택은",
    "de": "ich wähle|ich nehme|ich entscheide mich für|ich würde sagen|ich tippe auf",
    "fr": "je choisis|je choisirais|j'opte pour|je dirais|je pencherais pour",
    "es": "elijo|yo elijo|escojo|elegiría|selecciono|me quedo con|diría",
    "pt": "escolho|eu escolho|escolheria|opto por",
    "ru": "выбираю|я выбираю",
    "sign": "✅|✔|☑|👉|[x]|∴",
}
# A conclusion that the option follows at once; weaker, since a text may draw several.
CONCLUDING: Table = {
    "en": "so|thus|therefore|hence|consequently|it is|it's|it must be|must be|this is|that is|that's|that would be|it would be|it could only be|likely|probably"
    "|most likely|i think|i believe|we get|leaving|leaves|leaves us with|that leaves|points to|point to|pointing to|corresponds to|corresponding to|matches|match"
    "|best matches|identified as|identify it as|identify this as|consistent with|indicates|suggests|suggesting|i conclude|but",
    "id": "jadi|maka|oleh karena itu|melainkan|tetapi|tapi|kemungkinan besar",
    "ms": "oleh itu|sebaliknya",
    "fil": "kaya|samakatuwid|ito ay|ito ang|kundi",
    "vi": "vậy|do đó|vì vậy|đó là|đây là|chính là|mà là|nhưng là",
    "th": "ดังนั้น|นี่คือ|แต่เป็น|แต่คือ",
    "km": "ដូច្នេះ|នេះគឺ|នេះគឺជា",
    "my": "ထို့ကြောင့်|ဒါကြောင့်|ဒါဟာ",
    "zh": "因此|所以|故|而是|应该是|應該是|就是",
    "ja": "したがって|よって|つまり|これは",
    "ko": "따라서|그러므로|그래서|이것은",
    "de": "daher|somit|es ist|das ist|sondern",
    "fr": "donc|ainsi|c'est|il s'agit de|mais",
    "es": "por lo tanto|entonces|así que|sino",
    "pt": "portanto|logo|mas sim",
    "ru": "следовательно|значит",
    "sign": "→|⇒|=>|->",
}
# What may stand between a marker and the option. Copulas make an announcement of a noun ("the answer is").
COPULA: Table = {
    "en": "is|are|was|be|being|'s|would be|should be|must be|will be|has to be|seems to be|appears to be|is likely to be|would have to be|may be"
    "|might be|can only be|could be|remains|is therefore|becomes",
    "id": "adalah|ialah|yaitu|yakni|merupakan|iaitu",
    "fil": "ay",
    "vi": "là|sẽ là|phải là|chính là",
    "th": "คือ|เป็น|ได้แก่|น่าจะเป็น|น่าจะคือ|ก็คือ",
    "km": "គឺ|គឺជា|ជា",
    "my": "က|သည်|မှာ|ကတော့|မှာတော့",
    "lo": "ແມ່ນ|ຄື",
    "zh": "是|为|為|应该是|應該是|应为|應為|应是|就是",
    "ja": "は|が|では",
    "ko": "은|는|이|가",
    "de": "ist|lautet|wäre|sind",
    "fr": "est|serait|c'est|est donc",
    "es": "es|sería|seria",
    "pt": "é|seria",
    "it": "è|sarebbe",
    "tr": "şudur",
    "ru": "это",
    "ar": "هي|هو",
    "hi": "है",
}
FILLER: Table = {
    "en": "the|that|this|it|its|here|then|to|of|for|as|in|at|by|and|would|should|will|must|definitely|clearly|certainly|probably|likely|most|very|very likely"
    "|more|indeed|therefore|thus|so|hence|actually|simply|obviously|presumably|surely|possibly|perhaps|maybe|i think|i believe|i would say|i'd say"
    "|best|correct|right|final|answer|to the question|to this question|to question|given|with|going|going to be|concept|festival|ritual|celebration|dance|game"
    "|instrument|music|wedding|ceremony|tradition|called|named|named as|known as|described|depicted|shown|about|around|approximately|between|from"
    "|that it is|that it's|that the answer is|that the correct answer is|following|one|again|now|just|our|your|my",
    "id": "yang|benar|tepat|paling|paling tepat|kemungkinan|mungkin|tersebut|ini|itu|saya|jelas|pada|dari|di|untuk|yang benar|antara",
    "ms": "betul|yang betul|paling sesuai|berkemungkinan",
    "fil": "ang|si|sa|na|ng|ito|iyon|marahil|malamang|tiyak na|po|mula",
    "vi": "đúng|chính|chính xác|có lẽ|có thể|cuối cùng|câu|theo tôi|nhất|phù hợp nhất|của|tôi|cho|này|từ",
    "th": "ที่|ว่า|น่าจะ|ครับ|ค่ะ|ที่ถูกต้อง|ข้อที่|คง|คงจะ|จาก|ช่วง",
    "km": "គឺជា|ប្រហែលជា|ប្រហែល|ថា|ទី|ពី",
    "my": "ဖြစ်|တော့",
    "zh": "最|可能|大概|应|项|最可能是|从",
    "ja": "たぶん|おそらく|番|の",
    "ko": "아마|아마도",
    "de": "die|der|das|eindeutig|wahrscheinlich|richtige|korrekte|zu der frage|auf die frage|von",
    "fr": "la|le|les|l'|probablement|à la question|sans doute|bien|de",
    "es": "el|los|probablemente|a la pregunta|correcta|que|del|desde",
    "pt": "provavelmente",
}
ARTICLE: Table = {"en": "the", "fil": "ang", "de": "die|der|das|den", "fr": "la|le", "es": "la|el|lo"}
# What may stand between "or" and the option after it.
ALSO: Table = {
    "en": "the|maybe|also|even|both|possibly|perhaps|either|just|it is|it's|more likely|then",
    "id": "mungkin|juga",
    "fil": "ang|si|baka",
    "vi": "có thể|có lẽ|cả|là",
    "th": "อาจเป็น|อาจจะเป็น",
    "zh": "可能是|也许是",
    "de": "vielleicht|die|der|das",
    "fr": "la|le|peut-être",
    "es": "la|el|quizás|tal vez",
}
# Words for an option, before its letter or number.
LABEL: Table = {
    "en": "option|options|choice|choices|answer choice|answer option|moment|moments|clip|clips|video|videos|video clip|letter|letters|candidate|candidates"
    "|segment|segments|number|no.|item|answer|alternative",
    "id": "opsi|pilihan|momen|nomor|klip|huruf|jawaban|jawapan|nombor|butir|saat ke",
    "fil": "opsyon|pagpipilian|letra|titik|numero|bilang|sandali",
    "vi": "lựa chọn|phương án|đáp án|câu|khoảnh khắc|đoạn|chữ cái|lựa chọn số|phương án số|câu số|đáp án số|đoạn số|video số|khoảnh khắc số",
    "th": "ตัวเลือก|ตัวเลือกที่|ข้อ|ข้อที่|หมายเลข|ช่วงที่|คลิป|คลิปที่|ช้อยส์|ลำดับที่",
    "km": "ជម្រើស|ជម្រើសទី|លេខ|ចម្លើយ|ឈុត|ឈុតទី",
    "my": "ရွေးချယ်မှု|နံပါတ်|အပိုဒ်",
    "zh": "选项|選項|选择|第|片段|视频|影片|时刻|瞬间",
    "ja": "選択肢|番号|瞬間|シーン|場面|動画|クリップ",
    "ko": "선택지|보기|옵션|번호|영상|장면|순간",
    "de": "option|antwort|moment|möglichkeit|nummer|buchstabe",
    "fr": "option|réponse|choix|numéro|lettre|moment",
    "es": "opción|respuesta|alternativa|número|letra|momento|inciso|opcao",
    "ru": "вариант|номер|пункт",
    "sign": "#|№",
}
# Words after a label that say that a number follows.
NUMBER_LEAD: Table = {
    "en": "number|no.|nr.|#",
    "id": "nomor|ke|nombor",
    "vi": "thứ",
    "th": "ที่",
    "km": "ទី",
    "fil": "ika|blg",
    "zh": "第",
}
AND_OR: Table = {
    "en": "and|or|or maybe|or perhaps|or possibly|or even|and also|and/or|nor|as well as|and then|otherwise|but also|or else",
    "id": "dan|atau|serta|maupun|ataupun",
    "fil": "at|o|o kaya|at saka",
    "vi": "và|hoặc|hay|hoặc là|hay là",
    "th": "และ|หรือ|กับ|หรือว่า",
    "km": "និង|ឬ|ឬក៏",
    "my": "နှင့်|နဲ့|သို့မဟုတ်|ဒါမှမဟုတ်",
    "zh": "和|或|或者|与|及|以及|、|还是",
    "ja": "と|か|または|もしくは|および|、",
    "ko": "와|과|또는|혹은|이나|나|및",
    "de": "und|oder|beziehungsweise",
    "fr": "et|ou|ou bien",
    "es": "y|o|u|o bien",
    "pt": "e|ou",
    "ru": "и|или",
}
# A verb after "A" makes it a letter; any other word makes it an article.
VERB_AFTER_LETTER: Table = {
    "en": "is|isn't|was|are|and|or|nor|but|because|since|as|due|for|has|have|had|shows|show|showing|depicts|depict|describes|describe|matches|match|fits|fit"
    "|seems|seem|looks|look|would|could|should|can|cannot|can't|may|might|must|will|does|doesn't|did|do|with|over|rather|not|instead|represents|corresponds"
    "|appears|feels|makes|remains|involves|contains|features|aligns|captures|also|clearly|definitely|which|if|then|though|although|however|while|whereas"
    "|based|given|according|it|this|that|to|than|at|in|on|from|by|of|being|works|wins|only|too|either|versus|vs|please|thanks|confidence|correct|wrong|incorrect",
    "id": "adalah|ialah|karena|kerana|sebab|salah|bukan|tidak|benar|betul|dan|atau|menunjukkan|sesuai|cocok|lebih|paling|merupakan",
    "fil": "ay|ang|dahil|at|o|kasi|sapagkat|hindi|mali|tama",
    "vi": "là|vì|và|hoặc|hay|không|sai|đúng|bởi|do|cho|phù|có",
    "de": "ist|weil|und|oder|denn|da|nicht|zeigt|passt",
    "fr": "est|car|parce|et|ou|montre|correspond|n'est",
    "es": "es|porque|y|o|no|muestra|ya|corresponde|coincide",
    "pt": "e|porque|pois|ou|nao|mostra",
}
# The option before it is the answer.
AFFIRMED: Table = {
    "en": "correct|right|the correct|the right|the answer|the best answer|the best match|the best option|the best choice|the best fit|my answer|my choice"
    "|my final|my pick|my guess|my best guess|the one described|the one that fits|the one that matches|true|the correct answer|the most likely answer|the final answer|yes|the only correct|chosen|selected"
    "|the best candidate|the best guess|the only option|the winner|the solution",
    "id": "jawaban|jawaban yang|yang benar|benar|yang tepat|paling tepat|jawabannya|jawapan|jawapan yang|yang betul|betul|jawapannya|pilihan yang tepat",
    "fil": "ang sagot|ang tamang sagot|ang tama|ang aking sagot|ang sagot ko|ang pinakatamang sagot|tama",
    "vi": "đáp án|đáp án đúng|câu trả lời|câu trả lời đúng|đúng|đúng nhất|chính xác|phương án đúng|lựa chọn đúng",
    "th": "คำตอบ|คำตอบที่|ถูกต้อง|ถูก|คือคำตอบ|เป็นคำตอบ",
    "km": "ជាចម្លើយ|ត្រឹមត្រូវ|គឺជាចម្លើយ",
    "my": "သည် အဖြေ|က အဖြေ|သည်အဖြေ|အဖြေမှန်|မှန်ကန်|မှန်ပါ|မှန်သည်",
    "zh": "正确|正確|是正确|是正確|是答案|最符合|对|为正确",
    "ja": "が正解|が正しい|が答え|正解|が最も適切",
    "ko": "가 정답|이 정답|정답|가 맞|이 맞|가 답|이 답",
    "de": "richtig|die richtige|korrekt|die antwort|die lösung|die korrekte",
    "fr": "la bonne|correct|correcte|la réponse|exact",
    "es": "la respuesta|la correcta|correcta|correcto|la opción correcta",
    "pt": "a resposta|a correta|correta|a alternativa correta",
    "ru": "правильный|верный|верно",
    "sign": "✅|✔|☑|✓|👍|⭕|◯",
}
# The same in languages that say it without a copula.
AFFIRMED_PLAINLY: Table = {
    "id": "benar|betul|yang benar|yang betul|yang tepat|paling tepat|jawabannya|jawapannya",
    "fil": "ang sagot|ang tamang sagot|ang tama|ang aking sagot|ang sagot ko|ang pinakatamang sagot",
    "vi": "đúng nhất|chính xác nhất",
    "th": "ถูกต้อง|คือคำตอบ|เป็นคำตอบ",
    "km": "ត្រឹមត្រូវ|ជាចម្លើយ|គឺជាចម្លើយ",
    "my": "မှန်ကန်|မှန်ပါ|မှန်သည်",
}
# The option before it is preferred; weaker.
FAVOURED: Table = {
    "en": "fits best|fits better|fits the description best|fits perfectly|best fits|best matches|matches best|matches better|better matches|matches the description|fits the description"
    "|matches perfectly|better|closest|the closest|closer|more likely|most likely|the most likely|remains|left|fits|matches|the most plausible|more plausible"
    "|makes the most sense|makes more sense|makes sense|the better|a better|more consistent|most consistent|the strongest|perfectly matches|corresponds|aligns"
    "|stands out|best represents|best describes|the remaining",
    "id": "paling cocok|paling sesuai|lebih cocok|lebih sesuai|lebih tepat|cocok|sesuai",
    "vi": "phù hợp nhất|phù hợp hơn|phù hợp|khớp nhất|hợp lý nhất|khớp",
    "th": "เหมาะสมที่สุด|ตรงที่สุด|ตรงกับ",
    "zh": "最合适|更符合|符合|更合适|最可能",
    "de": "passt am besten|passt besser|passt",
}
# What may stand between an option and what is said of it.
LEAD_IN: Table = {
    "en": "is|are|was|were|be|been|being|seems|seem|looks|look|appears|appear|would be|would|must be|should be|can be|could be|has to be|has been|have been"
    "|will be|to be|clearly|definitely|certainly|probably|likely|therefore|thus|also|which|that|however|simply|obviously|totally|completely|both|all|then"
    "|hence|indeed|too|really|quite|very|either|just|by far|in fact|as|the only one|actually|still|far|only",
    "id": "adalah|ialah|yang|merupakan|itu|jelas|lebih",
    "fil": "ay|naman|ay ang",
    "vi": "là|thì|cũng|đều|rõ ràng|chính là|bị",
    "th": "ก็|นั้น|คือ|เป็น|น่าจะ",
    "km": "គឺ|ក៏",
    "my": "က|သည်|ကတော့|ဟာ|တော့",
    "zh": "是|都|也|明显|显然",
    "ja": "は|が|も",
    "ko": "는|은|가|이|도",
    "de": "ist|sind|wäre|auch|klar",
    "fr": "est|sont|serait|aussi",
    "es": "es|son|seria|tambien",
    "ru": "это|—",
}
# The option after it is rejected.
REJECTING: Table = {
    "en": "not|isn't|aren't|wasn't|is not|are not|cannot be|can't be|can not be|couldn't be|could not be|wouldn't be|would not be|won't be|neither|nor|rather than|instead of"
    "|unlike|eliminate|eliminates|eliminated|eliminating|rule out|rules out|ruled out|ruling out|rule|exclude|excludes|excluded|excluding|reject|rejects|rejected"
    "|rejecting|dismiss|dismissed|dismissing|discard|discarded|discarding|as opposed to|opposed to|different from|differs from|differ from|distinct from"
    "|over|than|against|except|except for|doubt|doubt it is|doubt it's|unlikely to be|unlikely|don't think it's|don't think it is|do not think it is"
    "|don't believe it's|don't believe it is|don't choose|not choose|don't pick|don't select|confused with|mistaken for|cross out|crossed out|crossing out|compared to|compared with|in contrast to|in contrast with"
    "|contrary to|none of|doesn't match|does not match|don't match|doesn't fit|does not fit|does not resemble|doesn't show|does not show|avoid|ignore|no longer"
    "|first thought|initially thought|at first i thought|tempting|incorrect|wrong|incorrect options|wrong options|does not correspond to|doesn't correspond to",
    "id": "bukan|bukanlah|tidak mungkin|daripada|ketimbang|selain|kecuali|berbeda dari|berbeza daripada|menyingkirkan|mengeliminasi|eliminasi|tidak cocok dengan|salah",
    "ms": "menolak|tolak|singkirkan|berbanding",
    "fil": "hindi|hindi ang|hindi si|hindi ito|sa halip na|imbes na|maliban sa|kaysa|kaysa sa|mali ang",
    "vi": "không phải|không phải là|không|chứ không phải|chứ không phải là|thay vì|loại|loại bỏ|loại trừ|khác với|ngoại trừ|trừ|hơn|hơn là|so với|không thể là|chẳng phải",
    "th": "ไม่ใช่|มิใช่|แทนที่จะเป็น|ยกเว้น|ตัด|ตัดข้อ|ตัดตัวเลือก|ต่างจาก|ไม่น่าใช่|มากกว่า|แทน|ไม่เลือก",
    "km": "មិនមែន|មិនមែនជា|មិនមែនជម្រើស|ជំនួស|ក្រៅពី|ខុសពី|ជាជាង|លើកលែង",
    "my": "အစား|မဟုတ်ဘဲ|ဖယ်",
    "zh": "不是|并非|並非|而不是|而非|非|排除|不同于|不選|不选|除了|不像|不可能是|不会是",
    "ja": "除外",
    "de": "nicht|kein|keine|statt|anstatt|anstelle von|eher als|außer|im gegensatz zu|weder|noch",
    "fr": "pas|non|n'est pas|ce n'est pas|plutôt que|au lieu de|ni|sauf|contrairement à|éliminer|exclure",
    "es": "no|no es|en lugar de|en vez de|ni|excepto|salvo|a diferencia de|descartar|descarto|descartamos|más que",
    "pt": "não|não é|em vez de|nem|exceto|descartar|ao contrário de",
    "ru": "не|вместо|кроме|исключаем|а не",
    "sign": "❌|✗|✘|✖|×|[ ]|☒|☐|≠",
}
# A heading over rejected options, with a colon.
REJECTED_HEADING: Table = {
    "en": "wrong|incorrect|eliminated|excluded|ruled out|incorrect options|wrong options|rejected|not|discarded|wrong answers|incorrect answers",
    "vi": "sai|loại",
    "id": "salah",
    "th": "ผิด",
}
# The option before it is rejected. Directly after it, after a lead-in, or after a dash or colon.
REJECTED: Table = {
    "en": "wrong|incorrect|unlikely|ruled out|eliminated|excluded|false|impossible|rejected|inaccurate|implausible|irrelevant|less likely|less plausible|improbable"
    "|inconsistent|out|not correct|not right|not it|not matching|not possible|not likely|not the|not a match|not a fit|no match|can't|cannot|can not|couldn't|could not"
    "|wouldn't|would not|won't|will not|isn't|aren't|wasn't|is not|are not|was not|does not match|doesn't match|do not match|don't match|does not fit|doesn't fit|do not fit"
    "|don't fit|does not correspond|doesn't correspond|does not apply|doesn't apply|does not work|doesn't work|doesn't make sense|does not make sense|does not seem|doesn't seem"
    "|doesn't appear|does not appear|does not align|doesn't align|does not belong|does not|doesn't|do not|don't|fails|fail|has nothing|have nothing|must be wrong|a poor|a poor match|a distractor"
    "|distractors|not|mismatched|unrelated|too early|too late|tempting|a trap|no|nope|tempting but|less suitable|worse|a worse|off",
    "id": "salah|bukan|bukanlah|tidak|tidak cocok|tidak tepat|tidak sesuai|tidak benar|kurang tepat|kurang cocok|kurang sesuai|tidak betul|kurang",
    "fil": "mali|hindi|hindi tama|hindi tugma|ay mali|ay hindi|hindi ang sagot",
    "vi": "sai|không đúng|không phải|không|không phù hợp|bị loại|không khớp|loại|chưa đúng",
    "th": "ไม่ใช่|ผิด|ไม่ถูก|ไม่ถูกต้อง|ไม่ตรง|ไม่|ถูกตัด",
    "km": "មិនមែន|ខុស|មិនត្រូវ|មិនត្រឹមត្រូវ|មិន",
    "my": "မဟုတ်|မှား|မကိုက်|မမှန်|မဖြစ်",
    "zh": "不|错|錯|错误|不对|不正确|不符|不符合|排除|被排除|不是|不行",
    "ja": "ではな|じゃな|でな|違|は違|は誤|は間違|ではあり|は不正解|不正解|は除外|でもな|は合わな",
    "ko": "가 아니|이 아니|는 아니|은 아니|아니|는 틀|은 틀|가 틀|이 틀|는 오답|은 오답|오답|틀",
    "de": "falsch|nicht|scheidet aus|passt nicht|kommt nicht|ausgeschlossen|unwahrscheinlich",
    "fr": "n'est pas|faux|fausse|ne correspond pas|incorrect|incorrecte|ne convient pas|éliminé|exclu|ne",
    "es": "no|incorrecta|incorrecto|no es|no coincide|descartada|descartado|falsa",
    "pt": "não|errada|incorreta|falsa",
    "ru": "не|неверно|неправильно",
    "sign": "❌|✗|✘|✖|×|☒|👎",
}
# After "is not": it is no rejection ("is not only", "is not wrong").
STILL_POSITIVE: Table = {
    "en": "only|just|wrong|incorrect|false|unlikely|impossible|ruled out|excluded|merely|surprising|bad",
    "fr": "seulement",
    "es": "solo",
}
# After an option that leads the text: its reason follows.
BECAUSE: Table = {
    "en": "because|since|as|for|due to|given|based on|,",
    "id": "karena|kerana|sebab|,",
    "fil": "dahil|kasi|sapagkat",
    "vi": "vì|bởi vì|do",
    "th": "เพราะ|เนื่องจาก",
    "km": "ព្រោះ|ពីព្រោះ|ដោយសារ",
    "my": "ဘာကြောင့်လဲဆိုတော့",
    "zh": "因为|因為|，",
    "ja": "なぜなら|。",
    "de": "weil|denn|da",
    "fr": "car|parce que",
    "es": "porque|ya que",
    "pt": "porque|pois",
}
NONE_OF_THEM: Table = {
    "en": "none of|none|neither of|neither option|no option|no options|none match|no correct|no suitable|not any of|not listed|no match|not among",
    "id": "tidak ada jawaban|tidak ada yang|tidak satu pun|tiada jawapan|tiada satu pun|tidak ada pilihan|tiada yang",
    "fil": "wala sa|walang tama|walang tamang|wala sa mga|wala sa nabanggit",
    "vi": "không có đáp án|không đáp án nào|không có phương án|không có lựa chọn|không phương án nào|không có câu nào",
    "th": "ไม่มีข้อใด|ไม่มีคำตอบ|ไม่มีข้อ|ไม่มีตัวเลือก",
    "km": "គ្មានចម្លើយ|មិនមានចម្លើយ|គ្មានជម្រើស",
    "my": "မည်သည့်အဖြေမှ|ဘယ်အဖြေမှ",
    "zh": "都不是|以上都不|都不对|没有正确|均不|没有一个",
    "ja": "該当なし|いずれでもな|どれも|当てはまるものはな",
    "ko": "없음|정답 없음|해당 없음|모두 아니",
    "de": "keine der|keine von|keine davon|nichts davon",
    "fr": "aucune de|aucun de|aucune des|aucun des",
    "es": "ninguna de|ninguno de|ninguna",
    "pt": "nenhuma das|nenhuma",
}
ALL_OF_THEM: Table = {
    "en": "all of the above|all of them|all options|all four|all the above|both of them|all are|all of these|both options",
    "id": "semua jawaban|semua di atas|semua jawapan|semuanya",
    "fil": "lahat ng nabanggit|lahat ng",
    "vi": "tất cả|tất cả các đáp án",
    "th": "ทุกข้อ|ถูกทุกข้อ",
    "zh": "以上都是|全部|都对",
    "ja": "すべて|全て",
    "es": "todas las anteriores",
    "fr": "toutes les réponses",
}
NUMBER_WORDS: Table = {  # in order, from one on
    "en": "one|two|three|four|five|six|seven|eight|nine|ten",
    "roman": "|ii|iii|iv|||vii|viii|ix",
    "id": "satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|sepuluh",
    "fil": "isa|dalawa|tatlo|apat|lima|anim|pito|walo|siyam|sampu",
    "vi": "một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười",
    "th": "หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ",
    "km": "មួយ|ពីរ|បី|បួន|ប្រាំ",
    "my": "တစ်|နှစ်|သုံး|လေး|ငါး",
    "zh": "一|二|三|四|五|六|七|八|九|十",
    "ko": "일|이|삼|사|오",
}
ORDINALS: Table = {
    "en": "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth",
    "short": "1st|2nd|3rd|4th|5th|6th|7th|8th|9th|10th",
    "id": "pertama|kedua|ketiga|keempat|kelima|keenam",
    "fil": "una|pangalawa|pangatlo|pang-apat|panglima",
    "fil2": "unang|ikalawa|ikatlo|ikaapat|ikalima",
    "vi": "thứ nhất|thứ hai|thứ ba|thứ tư|thứ năm|thứ sáu",
    "th": "ที่หนึ่ง|ที่สอง|ที่สาม|ที่สี่|ที่ห้า",
    "th2": "แรก",
    "km": "ទីមួយ|ទីពីរ|ទីបី|ទីបួន|ទីប្រាំ",
    "my": "ပထမ|ဒုတိယ|တတိယ|စတုတ္ထ|ပဉ္စမ",
    "zh": "第一|第二|第三|第四|第五|第六",
    "ko": "첫 번째|두 번째|세 번째|네 번째|다섯 번째",
    "ko2": "첫째|둘째|셋째|넷째",
    "de": "erste|zweite|dritte|vierte|fünfte",
    "fr": "première|deuxième|troisième|quatrième|cinquième",
    "fr2": "premier|second|||",
    "es": "primera|segunda|tercera|cuarta|quinta",
    "es2": "primer|segundo|tercer|cuarto|quinto",
}
# After an ordinal or number: it is an option's ("the third option", "the second one").
OPTION_NOUN: Table = {
    **LABEL,
    "en2": "one|answer|of these|scene",
    "zh2": "个|個|个选项|項|项",
    "ja2": "番|番目|つ目",
    "ko2": "번|번째",
}
LOCAL_LETTERS: Table = {
    "th": "ก|ข|ค|ง|จ|ฉ",
    "km": "ក|ខ|គ|ឃ|ង",
    "my": "က|ခ|ဂ|ဃ|င",
    "ko": "가|나|다|라|마",
    "ja": "ア|イ|ウ|エ|オ",
    "zh": "甲|乙|丙|丁|戊",
}
# A letter beside one of these is no option ("vitamin C", "C major").
NO_OPTION_BEFORE: Table = {
    "en": "vitamin|hepatitis|grade|plan|appendix|key of|note|tuned to|type|class|side|section|part|group|team|block|figure|u.s.|minor|channel"
}
NO_OPTION_AFTER: Table = {
    "en": "major|minor|sharp|flat|string|level|day|roll|section|cappella|levels|chord|scale|team"
}
# Not knowing: a refusal if no option is named beside it.
UNSURE: Table = {
    "en": "i don't know|i do not know|i'm not sure|i am not sure|i'm not certain|i am not certain|no idea|unknown|i can't decide|i cannot decide|undecided|unsure",
    "id": "saya tidak tahu|tidak tahu|tidak yakin|kurang tahu",
    "ms": "tidak pasti",
    "fil": "hindi ko alam|hindi ako sigurado",
    "vi": "tôi không biết|không biết|không chắc|không rõ",
    "th": "ไม่ทราบ|ไม่รู้|ไม่แน่ใจ",
    "km": "មិនដឹង|មិនប្រាកដ",
    "my": "မသိ|မသေချာ",
    "zh": "不知道|不确定|不清楚",
    "ja": "わかりません|分かりません|わからない|不明",
    "ko": "모르겠|알 수 없|확실하지",
    "de": "weiß nicht|weiß es nicht|nicht sicher",
    "fr": "je ne sais pas|pas sûr",
    "es": "no sé|no lo sé|no estoy seguro",
    "pt": "não sei",
    "it": "non so",
    "nl": "weet niet",
    "ru": "не знаю|не уверен",
    "tr": "bilmiyorum",
    "ar": "لا أعرف",
    "hi": "मुझे नहीं पता",
    "ta": "தெரியாது",
}
# A failed call: its numbers are no answers.
FAILED: Table = {
    "en": "timed out|timeout|rate limit|too many requests|service unavailable|bad gateway|internal server error|traceback|exception|request failed|quota exceeded|http|api error|error code|server error|connection error"
}
REFUSING: Table = {
    "en": "i'm sorry, but|i am sorry, but|i'm sorry, i|i am sorry, i|i apologize|i apologise|sorry, i|sorry, but i|as an ai|as a language model|as a text-based|as a large language model|unable to view|unable to watch|unable to see"
    "|unable to access|unable to process|unable to determine|unable to identify|unable to analyze|unable to analyse|unable to directly|unable to answer|unable to provide|unable to assist"
    "|unable to help|unable to play|unable to open|unable to tell|unable to say|unable to perceive|not able to view|not able to watch|not able to see|not able to access|not able to process|not able to determine"
    "|can't view|can't watch|can't see|can't access|can't process|can't determine|can't identify|can't analyze|can't analyse|can't directly|can't answer|can't provide|can't assist|can't help|can't actually"
    "|can't play|can't open|can't tell|can't say|can't hear|can't comply|can't perceive|can't give|cannot view|cannot watch|cannot see|cannot access|cannot process|cannot determine|cannot identify"
    "|cannot analyze|cannot analyse|cannot directly|cannot answer|cannot provide|cannot assist|cannot help|cannot actually|cannot play|cannot open|cannot tell|cannot say|cannot hear|cannot comply|cannot give"
    "|can not view|can not watch|can not see|could not view|couldn't view|could not watch|couldn't watch|could not access|couldn't access|couldn't determine|could not determine|could not see|couldn't see|couldn't identify|could not identify"
    "|don't have access|do not have access|don't have the ability|do not have the ability|don't have the capability|do not have the capability|not capable of|don't have enough|do not have enough|have no access|have no way|lack the ability"
    "|no video was|no video is|no video has|no videos were|no clip was|no clips were|no image was|no frames were|no frames are|video was not provided|video is not provided|video has not been|video is not available|video is unavailable|videos were not provided"
    "|video not provided|video isn't|video could not be|video cannot be|clips were not|clips are not|don't see any video|do not see any video|don't see a video|do not see a video|cannot be determined|can't be determined|could not be determined|not enough information|insufficient information|not possible to determine"
    "|impossible to determine|impossible to tell|impossible to say|not possible for me|impossible for me|isn't possible for me|i refuse|i must decline|i have to decline|i decline|i won't|i will not|please provide the video"
    "|please upload|please share the video|please provide the clips|i have no|not permitted to|against my guidelines|i'm not able|i am not able|i'm unable|i am unable|i'm not comfortable",
    "id": "saya tidak dapat|saya tidak bisa|tidak dapat menonton|tidak bisa menonton|tidak dapat melihat|tidak bisa melihat|tidak dapat menentukan|tidak bisa menentukan|maaf|mohon maaf|tidak memiliki akses|tidak memiliki kemampuan|sebagai ai|sebagai model bahasa|tidak cukup informasi|tidak mampu",
    "ms": "tidak boleh menonton|tidak boleh melihat|tidak boleh mengakses|saya tidak boleh|tidak dapat mengakses|tidak mempunyai akses|tidak dapat memproses|tidak mencukupi|maafkan saya|minta maaf|tidak dapat membantu",
    "fil": "hindi ko mapanood|hindi ko makita|hindi ko kayang|hindi ko makikita|hindi ko kaya|hindi ako makakapanood|hindi ako makakakita|hindi ko matukoy|hindi ko mabubuksan|hindi ko ma-access|paumanhin|pasensya|hindi ko masasagot|wala akong kakayahan|hindi ko mapapanood|hindi ko masabi",
    "vi": "không thể xem|tôi không thể|không thể xác định|xin lỗi|rất tiếc|không xem được|không đủ thông tin|không có khả năng|không có quyền truy cập|là một mô hình|không thể trả lời|không thể truy cập|không nhìn thấy",
    "th": "ไม่สามารถ|ขออภัย|ขอโทษ|ดูวิดีโอไม่ได้|เข้าถึงวิดีโอไม่ได้|ไม่มีข้อมูลเพียงพอ|ระบุไม่ได้|ข้อมูลไม่เพียงพอ|บอกไม่ได้",
    "km": "មិនអាច|សូមទោស|សុំទោស|សូមអភ័យទោស|គ្មានព័ត៌មាន|មិនមានលទ្ធភាព|ពុំអាច",
    "my": "မကြည့်နိုင်|မမြင်နိုင်|မကြည့်ရှုနိုင်|တောင်းပန်|ဝမ်းနည်းပါ|မသတ်မှတ်နိုင်|မဖြေနိုင်|မဆုံးဖြတ်နိုင်|ကြည့်လို့မရ|မလုပ်နိုင်|မကူညီနိုင်|မစွမ်းဆောင်နိုင်|ကြည့်၍မရ|မပြောနိုင်",
    "lo": "ບໍ່ສາມາດ|ຂໍອະໄພ|ຂໍໂທດ",
    "zh": "无法|無法|不能观看|不能查看|抱歉|对不起|對不起|看不到|不能看|没有足够|信息不足|作为一个ai|作为ai|没有能力",
    "ja": "できません|申し訳|見ることができ|視聴でき|見られません|判断できな|できない|ごめんなさい|すみません",
    "ko": "볼 수 없|할 수 없|수 없습니다|죄송|미안",
    "de": "ich kann keine|ich kann das|ich kann nicht|ich kann leider|tut mir leid|nicht in der lage|leider kann|kann ich nicht|nicht bestimmen|keinen zugriff|entschuldigung|nicht möglich",
    "fr": "je ne peux pas|désolé|désolée|je ne suis pas en mesure|incapable de|je n'ai pas accès|impossible de|pas assez d'informations|je regrette",
    "es": "no puedo|lo siento|no soy capaz|no tengo acceso|no es posible|no tengo la capacidad|disculpa|lamento",
    "pt": "não posso|não consigo|desculpe|sinto muito|não tenho acesso|lamento",
    "it": "non posso|mi dispiaceno in grado|non so",
    "nl": "ik kan geen|ik kan niet|het spijt me",
    "ru": "не могу|извините|к сожалению|не имею доступа|простите|невозможно",
    "tr": "üzgünüm|izleyemem|göremiyorum|erişimim yok",
    "ar": "لا أستطيع|لا يمكنني|آسف|عذرا|عذرًا",
    "hi": "नहीं देख सकता|माफ़|क्षमा|नहीं कर सकता",
    "ta": "முடியாது|மன்னிக்க",
}


def words(table: Table) -> list[str]:
    """Every phrase of a table, folded, each once."""
    phrases = (phrase for line in table.values() for phrase in line.split("|"))
    return sorted({_spelled(phrase) for phrase in phrases} - {""})


def numbered(table: Table) -> dict[str, int]:
    """Each phrase of a table whose lines count from one → its number."""
    lines = (enumerate(line.split("|"), 1) for line in table.values())
    return {_spelled(phrase): number for line in lines for number, phrase in line if phrase}


@cache
def _spelled(phrase: str) -> str:
    return fold(normal_text(phrase))


def one_of(*tables: Table, glued: bool = False) -> str:
    """A pattern for the longest phrase of the tables, at a place in folded text.

    It is a prefix tree, so that matching costs the length of the phrase and not the number of phrases. ``glued``: digits
    may touch the phrase, as they touch a unit.
    """
    edge = "[a-zа-я]" if glued else "[0-9a-zа-я]"
    root = _tree({phrase for table in tables for phrase in words(table)})
    # Every alternative begins with its letter, the boundary comes after it: so the engine can skip to the next likely letter.
    parts = [
        f"{_escaped(first)}(?<!{edge}{_escaped(first)}){_branch(rest)}(?!{edge})"
        if _is_spaced(first)
        else _escaped(first) + _branch(rest)
        for first, rest in sorted(root.items())
    ]
    return f"(?:{'|'.join(parts)})"


def _is_spaced(char: str) -> bool:
    """Whether the script of ``char`` puts spaces between words, so that whole words can be asked for."""
    return char.isalnum() and (char.isascii() or "а" <= char <= "я")


def _tree(phrases: set[str]) -> dict:
    root: dict = {}
    for phrase in phrases:
        node = root
        for char in phrase:
            node = node.setdefault(char, {})
        node[""] = {}
    return root


def _branch(node: dict) -> str:
    ends = "" in node
    parts = [_escaped(char) + _branch(child) for char, child in sorted(node.items()) if char]
    if not parts:
        return ""
    inner = parts[0] if len(parts) == 1 and not ends else f"(?:{'|'.join(parts)})"
    return f"{inner}?" if ends else inner


def _escaped(char: str) -> str:
    return " " if char == " " else re.escape(char)
