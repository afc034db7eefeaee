"""The words that announce, choose and label an answer, one line a language."""

from cmb_harness.grammar.words import Table

# Nouns that announce the final answer when a copula, a colon or a line break follows.
FINAL: Table = {
    "en": "best one|best candidate|answer|answers|final answer|final choice|final decision|"
    "final selection|final option|final prediction|my answer|my choice|my pick|my selection|my guess|"
    "my best guess|best guess|best answer|best choice|best option|best match|best fit|closest match|"
    "correct answer|correct option|correct choice|correct one|correct moment|correct clip|"
    "correct letter|right answer|right option|right choice|right moment|most likely answer|"
    "most likely option|most likely|option that|option which|moment that|clip that|choice that|"
    "one that|prediction|my prediction|my verdict|verdict|selected option|selected answer|selection|"
    "ans|my final answer|my response|here is my response|my conclusion",
    "id": "jawaban|jawabannya|jawaban akhir|jawaban yang benar|jawaban yang tepat|jawaban saya|jawab|"
    "pilihan yang tepat|pilihan yang benar|opsi yang benar|opsi yang tepat|pilihan saya|kesimpulan|"
    "kesimpulannya|momen yang tepat",
    "ms": "jawapan|jawapannya|jawapan akhir|jawapan yang betul|jawapan yang tepat|jawapan saya|"
    "pilihan yang betul|pilihan terbaik",
    "fil": "sagot|ang sagot|ang sagot ko|ang tamang sagot|tamang sagot|panghuling sagot|huling sagot|"
    "pinal na sagot|kasagutan|ang aking sagot|ang tamang opsyon|ang tamang pagpipilian",
    "vi": "đáp án|đáp án đúng|đáp án cuối cùng|đáp án của tôi|câu trả lời|câu trả lời đúng|"
    "câu trả lời cuối cùng|câu trả lời của tôi|trả lời|lựa chọn đúng|phương án đúng|lựa chọn của tôi|"
    "kết luận|đáp số",
    "th": "คำตอบ|คำตอบสุดท้าย|คำตอบที่ถูกต้อง|คำตอบที่ถูก|คำตอบของฉัน|ข้อที่ถูกต้อง|ข้อที่ถูก|ตัวเลือกที่ถูกต้อง|เฉลย|สรุป",
    "km": "ចម្លើយ|ចំលើយ|ចម្លើយចុងក្រោយ|ចម្លើយត្រឹមត្រូវ|ចម្លើយដែលត្រឹមត្រូវ|ចម្លើយរបស់ខ្ញុំ|ជម្រើសត្រឹមត្រូវ|ជម្រើសដែលត្រឹមត្រូវ",
    "my": "အဖြေ|အဖြေမှန်|နောက်ဆုံးအဖြေ|မှန်ကန်သောအဖြေ|မှန်ကန်သော အဖြေ|ကျွန်ုပ်၏အဖြေ|ရွေးချယ်မှု",
    "lo": "ຄຳຕອບ|ຄໍາຕອບ",
    "zh": "答案|最终答案|最終答案|正确答案|正確答案|正确选项|正確選項|最佳选项|最佳答案|我的答案|回答|答|结论|所以答案",
    "ja": "答え|答|回答|解答|正解|最終回答|最終的な答え|最終的な回答|最終解答|正しい選択肢|結論",
    "ko": "정답|답|답변|최종 답변|최종 답|최종답|최종 정답|결론|대답",
    "de": "antwort|endgültige antwort|richtige antwort|korrekte antwort|meine antwort|lösung|"
    "richtige option|fazit|ergebnis",
    "fr": "réponse|réponse finale|bonne réponse|réponse correcte|ma réponse|la bonne option|bonne option",
    "es": "respuesta|respuesta final|respuesta correcta|mi respuesta|opción correcta|"
    "la opción correcta|conclusión",
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
    "en": "first choice|top choice|1st choice|1st|choice|option|selected|chosen|pick|guess|conclusion|"
    "response|result|output|letter|correct|right|final|solution|decision|therefore|my final decision|"
    "match|label",
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
    "en": "i choose|i chose|i would choose|i'd choose|i will choose|i'll choose|i select|"
    "i would select|i'd select|i selected|i pick|i picked|i would pick|i'd pick|i'll pick|i'll select|"
    "go with|going with|went with|i opt for|opt for|opting for|i vote for|i'd say|i would say|"
    "i would answer|i'd answer|i answer|i settle on|settle on|i would guess|i'd guess|i guess|"
    "i conclude|i choose option|we choose|we select|leaning towards|leaning toward|lean towards|"
    "lean toward|i lean|i lean toward|i lean towards|i lean to|i'm going for|i am confident|"
    "let's go with|my vote is for|choose|select|pick",
    "correction": "no:|no, actually|actually|wait, no|no wait|no, wait|scratch that|just kidding|"
    "never mind|oops|correction|i mean|i meant|make that|on second thought|on reflection|rather, it is|"
    "sorry, i mean|i stand corrected|no, it is|no, it's|eh, bukan,|不对，|いや、|아니,",
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
    "en": "so|thus|therefore|hence|consequently|it is|it's|it must be|must be|this is|that is|that's|"
    "that would be|it would be|it could only be|likely|probably|most likely|i think|i believe|we get|"
    "leaving|leaves|leaves us with|that leaves|points to|point to|pointing to|corresponds to|"
    "corresponding to|matches|match|best matches|identified as|identify it as|identify this as|"
    "consistent with|indicates|suggests|suggesting|i conclude|but",
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
    "en": "is|are|was|be|being|'s|would be|should be|must be|will be|has to be|seems to be|"
    "appears to be|is likely to be|would have to be|may be|might be|can only be|could be|remains|"
    "is therefore|becomes",
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
    "en": "the|that|this|it|its|here|then|to|of|for|as|in|at|by|and|would|should|will|must|definitely|"
    "clearly|certainly|probably|likely|most|very|very likely|more|indeed|therefore|thus|so|hence|"
    "actually|simply|obviously|presumably|surely|possibly|perhaps|maybe|i think|i believe|i would say|"
    "i'd say|best|correct|right|final|answer|to the question|to this question|to question|given|with|"
    "going|going to be|concept|festival|ritual|celebration|dance|game|instrument|music|wedding|"
    "ceremony|tradition|called|named|named as|known as|described|depicted|shown|about|around|"
    "approximately|between|from|that it is|that it's|that the answer is|that the correct answer is|"
    "following|one|again|now|just|our|your|my",
    "id": "yang|benar|tepat|paling|paling tepat|kemungkinan|mungkin|tersebut|ini|itu|saya|jelas|pada|"
    "dari|di|untuk|yang benar|antara",
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
    "en": "option|options|choice|choices|answer choice|answer option|moment|moments|clip|clips|video|"
    "videos|video clip|letter|letters|candidate|candidates|segment|segments|number|no.|item|answer|"
    "alternative",
    "id": "opsi|pilihan|momen|nomor|klip|huruf|jawaban|jawapan|nombor|butir|saat ke",
    "fil": "opsyon|pagpipilian|letra|titik|numero|bilang|sandali",
    "vi": "lựa chọn|phương án|đáp án|câu|khoảnh khắc|đoạn|chữ cái|lựa chọn số|phương án số|câu số|"
    "đáp án số|đoạn số|video số|khoảnh khắc số",
    "th": "โมเมนต์|วิดีโอ|วิดีโอที่|ตัวเลือก|ตัวเลือกที่|ข้อ|ข้อที่|หมายเลข|ช่วงที่|คลิป|คลิปที่|ช้อยส์|ลำดับที่",
    "km": "ជម្រើស|ជម្រើសទី|លេខ|ចម្លើយ|ឈុត|ឈុតទី",
    "my": "အပိုင်း|ဗီဒီယို|ကလစ်|ရွေးချယ်မှု|နံပါတ်|အပိုဒ်",
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
    "en": "and|or|or maybe|or perhaps|or possibly|or even|and also|and/or|nor|as well as|and then|"
    "otherwise|but also|or else",
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
# After an option that leads the text: its reason follows.
BECAUSE: Table = {
    "en": "because|since|as|for|due to|given|based on",
    "id": "karena|kerana|sebab",
    "fil": "dahil|kasi|sapagkat",
    "vi": "vì|bởi vì|do",
    "th": "เพราะ|เนื่องจาก",
    "km": "ព្រោះ|ពីព្រោះ|ដោយសារ",
    "my": "ဘာကြောင့်လဲဆိုတော့",
    "zh": "因为|因為",
    "ja": "なぜなら",
    "de": "weil|denn|da",
    "fr": "car|parce que",
    "es": "porque|ya que",
    "pt": "porque|pois",
}
# A verb after "A" makes it a letter; any other word makes it an article.
VERB_AFTER_LETTER: Table = {
    "en": "is|isn't|was|are|and|or|nor|but|because|since|as|due|for|has|have|had|shows|show|showing|"
    "depicts|depict|describes|describe|matches|match|fits|fit|seems|seem|looks|look|would|could|should|"
    "can|cannot|can't|may|might|must|will|does|doesn't|did|do|with|over|rather|not|instead|represents|"
    "corresponds|appears|feels|makes|remains|involves|contains|features|aligns|captures|also|clearly|"
    "definitely|which|if|then|though|although|however|while|whereas|based|given|according|it|this|that|"
    "to|than|at|in|on|from|by|of|being|works|wins|only|too|either|versus|vs|please|thanks|confidence|"
    "correct|wrong|incorrect",
    "id": "adalah|ialah|karena|kerana|sebab|salah|bukan|tidak|benar|betul|dan|atau|menunjukkan|sesuai|"
    "cocok|lebih|paling|merupakan",
    "fil": "ay|ang|dahil|at|o|kasi|sapagkat|hindi|mali|tama",
    "vi": "là|vì|và|hoặc|hay|không|sai|đúng|bởi|do|cho|phù|có",
    "de": "ist|weil|und|oder|denn|da|nicht|zeigt|passt",
    "fr": "est|car|parce|et|ou|montre|correspond|n'est",
    "es": "es|porque|y|o|no|muestra|ya|corresponde|coincide",
    "pt": "e|porque|pois|ou|nao|mostra",
}
NUMBER_WORDS: Table = {
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
    "de3": "ersten|zweiten|dritten|vierten|fünften",
    "de2": "erster|zweiter|dritter|vierter|fünfter",
    "fil3": "unang|ikalawang|ikatlong|ikaapat na|ikalimang",
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
    "en": "vitamin|hepatitis|grade|plan|appendix|key of|note|tuned to|type|class|side|section|part|"
    "group|team|block|figure|u.s.|minor|channel",
}
NO_OPTION_AFTER: Table = {
    "en": "major|minor|sharp|flat|string|level|day|roll|section|cappella|levels|chord|scale|team",
}
# After an answer that has a line to itself.
PARTICLE: Table = {
    "fil": "po",
    "th": "ครับ|ค่ะ|คะ",
    "my": "ပါ|ဖြစ်ပါတယ်|ဖြစ်ပါသည်|ဖြစ်သည်",
    "ja": "です|でした|だ",
    "ko": "입니다|이다",
}
