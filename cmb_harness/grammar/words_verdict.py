"""The words that call an option right or wrong, and those that give no answer, one line a language."""

from cmb_harness.grammar.words import Table

# The option before it is the answer.
AFFIRMED: Table = {
    "en": "correct|right|the correct|the right|the answer|the best answer|the best match|"
    "the best option|the best choice|the best fit|my answer|my choice|my final|my pick|my guess|"
    "my best guess|the one described|the one that fits|the one that matches|true|the correct answer|"
    "the most likely answer|the final answer|yes|the only correct|chosen|selected|the best candidate|"
    "the best guess|the only option|the winner|the solution",
    "id": "jawaban|jawaban yang|yang benar|benar|yang tepat|paling tepat|jawabannya|jawapan|"
    "jawapan yang|yang betul|betul|jawapannya|pilihan yang tepat",
    "fil": "ang sagot|ang tamang sagot|ang tama|ang aking sagot|ang sagot ko|ang pinakatamang sagot|tama",
    "vi": "đáp án|đáp án đúng|câu trả lời|câu trả lời đúng|đúng|đúng nhất|chính xác|phương án đúng|"
    "lựa chọn đúng",
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
    "sign": "? yes|? correct|✅|✔|☑|✓|👍|⭕|◯",
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
    "en": "fits best|fits better|fits the description best|fits perfectly|best fits|best matches|"
    "matches best|matches better|better matches|matches the description|fits the description|"
    "matches perfectly|better|closest|the closest|closer|more likely|most likely|the most likely|"
    "remains|left|fits|matches|the most plausible|more plausible|makes the most sense|makes more sense|"
    "makes sense|the better|a better|more consistent|most consistent|the strongest|perfectly matches|"
    "corresponds|aligns|stands out|best represents|best describes|the remaining",
    "id": "paling cocok|paling sesuai|lebih cocok|lebih sesuai|lebih tepat|cocok|sesuai",
    "vi": "phù hợp nhất|phù hợp hơn|phù hợp|khớp nhất|hợp lý nhất|khớp",
    "th": "เหมาะสมที่สุด|ตรงที่สุด|ตรงกับ",
    "zh": "最合适|更符合|符合|更合适|最可能",
    "de": "passt am besten|passt besser|passt",
}
# What may stand between an option and what is said of it.
LEAD_IN: Table = {
    "en": "is|are|was|were|be|been|being|seems|seem|looks|look|appears|appear|would be|would|must be|"
    "should be|can be|could be|has to be|has been|have been|will be|to be|clearly|definitely|certainly|"
    "probably|likely|therefore|thus|also|which|that|however|simply|obviously|totally|completely|both|"
    "all|then|hence|indeed|too|really|quite|very|either|just|by far|in fact|as|actually|still|far|only",
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
    "en": "neither does|nor does|neither is|nor is|not|isn't|aren't|wasn't|is not|are not|cannot be|"
    "can't be|can not be|couldn't be|could not be|wouldn't be|would not be|won't be|neither|nor|"
    "rather than|instead of|unlike|eliminate|eliminates|eliminated|eliminating|rule out|rules out|"
    "ruled out|ruling out|rule|exclude|excludes|excluded|excluding|reject|rejects|rejected|rejecting|"
    "dismiss|dismissed|dismissing|discard|discarded|discarding|as opposed to|opposed to|different from|"
    "differs from|differ from|distinct from|over|than|against|except|except for|doubt|doubt it is|"
    "doubt it's|unlikely to be|unlikely|don't think it's|don't think it is|do not think it is|"
    "don't believe it's|don't believe it is|don't choose|not choose|don't pick|don't select|"
    "confused with|mistaken for|cross out|crossed out|crossing out|compared to|compared with|"
    "in contrast to|in contrast with|contrary to|none of|doesn't match|does not match|don't match|"
    "doesn't fit|does not fit|does not resemble|doesn't show|does not show|avoid|ignore|no longer|"
    "first thought|initially thought|at first i thought|tempting|incorrect|wrong|incorrect options|"
    "wrong options|does not correspond to|doesn't correspond to",
    "id": "bukan|bukanlah|tidak mungkin|daripada|ketimbang|selain|kecuali|berbeda dari|"
    "berbeza daripada|menyingkirkan|mengeliminasi|eliminasi|tidak cocok dengan|salah",
    "ms": "menolak|tolak|singkirkan|berbanding",
    "fil": "hindi|hindi ang|hindi si|hindi ito|sa halip na|imbes na|maliban sa|kaysa|kaysa sa|mali ang",
    "vi": "không phải|không phải là|không|chứ không phải|chứ không phải là|thay vì|loại|loại bỏ|"
    "loại trừ|khác với|ngoại trừ|trừ|hơn|hơn là|so với|không thể là|chẳng phải",
    "th": "ไม่ใช่|มิใช่|แทนที่จะเป็น|ยกเว้น|ตัด|ตัดข้อ|ตัดตัวเลือก|ต่างจาก|ไม่น่าใช่|มากกว่า|แทน|ไม่เลือก",
    "km": "មិនមែន|មិនមែនជា|មិនមែនជម្រើស|ជំនួស|ក្រៅពី|ខុសពី|ជាជាង|លើកលែង",
    "my": "အစား|မဟုတ်ဘဲ|ဖယ်",
    "zh": "不是|并非|並非|而不是|而非|非|排除|不同于|不選|不选|除了|不像|不可能是|不会是",
    "ja": "除外",
    "de": "nicht|kein|keine|statt|anstatt|anstelle von|eher als|außer|im gegensatz zu|weder|noch",
    "fr": "pas|non|n'est pas|ce n'est pas|plutôt que|au lieu de|ni|sauf|contrairement à|éliminer|exclure",
    "es": "no|no es|en lugar de|en vez de|ni|excepto|salvo|a diferencia de|descartar|descarto|"
    "descartamos|más que",
    "pt": "não|não é|em vez de|nem|exceto|descartar|ao contrário de",
    "ru": "не|вместо|кроме|исключаем|а не",
    "sign": "❌|✗|✘|✖|×|[ ]|☒|☐|≠",
}
# A heading over rejected options, with a colon.
REJECTED_HEADING: Table = {
    "en": "second choice|2nd choice|third choice|2nd|3rd|second best|runner-up|runner up|alternative|"
    "backup|wrong|incorrect|eliminated|excluded|ruled out|incorrect options|wrong options|rejected|not|"
    "discarded|wrong answers|incorrect answers",
    "vi": "sai|loại",
    "id": "salah",
    "th": "ผิด",
}
# The option before it is rejected. Directly after it, after a lead-in, or after a dash or colon.
REJECTED: Table = {
    "en": "does not show|doesn't show|do not show|don't show|does not depict|doesn't depict|"
    "does not describe|doesn't describe|does not represent|doesn't represent|does not resemble|"
    "doesn't resemble|does not meet|doesn't meet|does not satisfy|doesn't satisfy|does not look|"
    "doesn't look|does not feel|doesn't feel|does not suit|doesn't suit|wrong|incorrect|unlikely|"
    "ruled out|eliminated|excluded|false|impossible|rejected|inaccurate|implausible|irrelevant|"
    "less likely|less plausible|improbable|inconsistent|out|not correct|not right|not it|not matching|"
    "not possible|not likely|not the|not a match|not a fit|no match|can't|cannot|can not|couldn't|"
    "could not|wouldn't|would not|won't|will not|isn't|aren't|wasn't|is not|are not|was not|"
    "does not match|doesn't match|do not match|don't match|does not fit|doesn't fit|do not fit|"
    "don't fit|does not correspond|doesn't correspond|does not apply|doesn't apply|does not work|"
    "doesn't work|doesn't make sense|does not make sense|does not seem|doesn't seem|doesn't appear|"
    "does not appear|does not align|doesn't align|does not belong|fails|fail|has nothing|have nothing|"
    "must be wrong|a poor|a poor match|a distractor|distractors|not|mismatched|unrelated|too early|"
    "too late|tempting|a trap|no|nope|tempting but|less suitable|worse|a worse|off",
    "id": "salah|bukan|bukanlah|tidak|tidak cocok|tidak tepat|tidak sesuai|tidak benar|kurang tepat|"
    "kurang cocok|kurang sesuai|tidak betul|kurang",
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
    "sign": "? no,|? no.|? no |? nope|❌|✗|✘|✖|×|☒|👎",
}
# After "is not": it is no rejection ("is not only", "is not wrong").
STILL_POSITIVE: Table = {
    "en": "only|just|wrong|incorrect|false|unlikely|impossible|ruled out|excluded|merely|surprising|bad",
    "fr": "seulement",
    "es": "solo",
}
NONE_OF_THEM: Table = {
    "en": "none of|none|neither of|neither option|no option|no options|none match|no correct|"
    "no suitable|not any of|not listed|no match|not among",
    "id": "tidak ada jawaban|tidak ada yang|tidak satu pun|tiada jawapan|tiada satu pun|"
    "tidak ada pilihan|tiada yang",
    "fil": "wala sa|walang tama|walang tamang|wala sa mga|wala sa nabanggit",
    "vi": "không có đáp án|không đáp án nào|không có phương án|không có lựa chọn|không phương án nào|"
    "không có câu nào",
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
    "en": "all of the above|all of them|all options|all four|all the above|both of them|all are|"
    "all of these|both options",
    "id": "semua jawaban|semua di atas|semua jawapan|semuanya",
    "fil": "lahat ng nabanggit|lahat ng",
    "vi": "tất cả|tất cả các đáp án",
    "th": "ทุกข้อ|ถูกทุกข้อ",
    "zh": "以上都是|全部|都对",
    "ja": "すべて|全て",
    "es": "todas las anteriores",
    "fr": "toutes les réponses",
}
# Not knowing: a refusal if no option is named beside it.
UNSURE: Table = {
    "en": "i don't know|i do not know|i'm not sure|i am not sure|i'm not certain|i am not certain|"
    "no idea|unknown|i can't decide|i cannot decide|undecided|unsure",
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
    "en": "timed out|timeout|rate limit|too many requests|service unavailable|bad gateway|"
    "internal server error|traceback|exception|request failed|quota exceeded|http|api error|error code|"
    "server error|connection error",
}
REFUSING: Table = {
    "en": "there is no video|there are no videos|there is no clip|no video provided|did not load|"
    "didn't load|are not visible to me|is not visible to me|haven't been given|have not been given|"
    "i need to see the|i need to watch the|i would need to watch|i would need to see the|"
    "i'd need to watch|i'd need to see the|prefer not to answer|content blocked|blocked by safety|"
    "undetermined|insufficient evidence|haven't seen the|have not seen the|i'm sorry, but|"
    "i am sorry, but|i'm sorry, i|i am sorry, i|i apologize|i apologise|sorry, i|sorry, but i|as an ai|"
    "as a language model|as a text-based|as a large language model|unable to view|unable to watch|"
    "unable to see|unable to access|unable to process|unable to determine|unable to identify|"
    "unable to analyze|unable to analyse|unable to directly|unable to answer|unable to provide|"
    "unable to assist|unable to help|unable to play|unable to open|unable to tell|unable to say|"
    "unable to perceive|not able to view|not able to watch|not able to see|not able to access|"
    "not able to process|not able to determine|can't view|can't watch|can't see|can't access|"
    "can't process|can't determine|can't identify|can't analyze|can't analyse|can't directly|"
    "can't answer|can't provide|can't assist|can't help|can't actually|can't play|can't open|"
    "can't tell|can't say|can't hear|can't comply|can't perceive|can't give|cannot view|cannot watch|"
    "cannot see|cannot access|cannot process|cannot determine|cannot identify|cannot analyze|"
    "cannot analyse|cannot directly|cannot answer|cannot provide|cannot assist|cannot help|"
    "cannot actually|cannot play|cannot open|cannot tell|cannot say|cannot hear|cannot comply|"
    "cannot give|can not view|can not watch|can not see|could not view|couldn't view|could not watch|"
    "couldn't watch|could not access|couldn't access|couldn't determine|could not determine|"
    "could not see|couldn't see|couldn't identify|could not identify|don't have access|"
    "do not have access|don't have the ability|do not have the ability|don't have the capability|"
    "do not have the capability|not capable of|don't have enough|do not have enough|have no access|"
    "have no way|lack the ability|no video was|no video is|no video has|no videos were|no clip was|"
    "no clips were|no image was|no frames were|no frames are|video was not provided|"
    "video is not provided|video has not been|video is not available|video is unavailable|"
    "videos were not provided|video not provided|video isn't|video could not be|video cannot be|"
    "clips were not|clips are not|don't see any video|do not see any video|don't see a video|"
    "do not see a video|cannot be determined|can't be determined|could not be determined|"
    "not enough information|insufficient information|not possible to determine|impossible to determine|"
    "impossible to tell|impossible to say|not possible for me|impossible for me|isn't possible for me|"
    "i refuse|i must decline|i have to decline|i decline|i won't|i will not|please provide the video|"
    "please upload|please share the video|please provide the clips|i have no|not permitted to|"
    "against my guidelines|i'm not able|i am not able|i'm unable|i am unable|i'm not comfortable",
    "id": "saya tidak dapat|saya tidak bisa|tidak dapat menonton|tidak bisa menonton|"
    "tidak dapat melihat|tidak bisa melihat|tidak dapat menentukan|tidak bisa menentukan|maaf|"
    "mohon maaf|tidak memiliki akses|tidak memiliki kemampuan|sebagai ai|sebagai model bahasa|"
    "tidak cukup informasi|tidak mampu",
    "ms": "tidak boleh menonton|tidak boleh melihat|tidak boleh mengakses|saya tidak boleh|"
    "tidak dapat mengakses|tidak mempunyai akses|tidak dapat memproses|tidak mencukupi|maafkan saya|"
    "minta maaf|tidak dapat membantu",
    "fil": "wala akong|hindi ko mapanood|hindi ko makita|hindi ko kayang|hindi ko makikita|"
    "hindi ko kaya|hindi ako makakapanood|hindi ako makakakita|hindi ko matukoy|hindi ko mabubuksan|"
    "hindi ko ma-access|paumanhin|pasensya|hindi ko masasagot|wala akong kakayahan|hindi ko mapapanood|"
    "hindi ko masabi",
    "vi": "không thể xem|tôi không thể|không thể xác định|xin lỗi|rất tiếc|không xem được|"
    "không đủ thông tin|không có khả năng|không có quyền truy cập|là một mô hình|không thể trả lời|"
    "không thể truy cập|không nhìn thấy",
    "th": "ไม่มีความสามารถ|ไม่สามารถ|ขออภัย|ขอโทษ|ดูวิดีโอไม่ได้|เข้าถึงวิดีโอไม่ได้|"
    "ไม่มีข้อมูลเพียงพอ|ระบุไม่ได้|ข้อมูลไม่เพียงพอ|บอกไม่ได้",
    "km": "គ្មានសមត្ថភាព|មិនអាច|សូមទោស|សុំទោស|សូមអភ័យទោស|គ្មានព័ត៌មាន|មិនមានលទ្ធភាព|ពុំអាច",
    "my": "မကြည့်နိုင်|မမြင်နိုင်|မကြည့်ရှုနိုင်|တောင်းပန်|ဝမ်းနည်းပါ|မသတ်မှတ်နိုင်|မဖြေနိုင်|"
    "မဆုံးဖြတ်နိုင်|ကြည့်လို့မရ|မလုပ်နိုင်|မကူညီနိုင်|မစွမ်းဆောင်နိုင်|ကြည့်၍မရ|မပြောနိုင်",
    "lo": "ບໍ່ສາມາດ|ຂໍອະໄພ|ຂໍໂທດ",
    "zh": "无法|無法|不能观看|不能查看|抱歉|对不起|對不起|看不到|不能看|没有足够|信息不足|作为一个ai|作为ai|没有能力",
    "ja": "できません|申し訳|見ることができ|視聴でき|見られません|判断できな|できない|ごめんなさい|すみません",
    "ko": "볼 수 없|할 수 없|수 없습니다|죄송|미안",
    "de": "ich kann keine|ich kann das|ich kann nicht|ich kann leider|tut mir leid|nicht in der lage|"
    "leider kann|kann ich nicht|nicht bestimmen|keinen zugriff|entschuldigung|nicht möglich",
    "fr": "je n'ai pas la capacité|je ne peux pas|désolé|désolée|je ne suis pas en mesure|incapable de|"
    "je n'ai pas accès|impossible de|pas assez d'informations|je regrette",
    "es": "no puedo|lo siento|no soy capaz|no tengo acceso|no es posible|no tengo la capacidad|"
    "disculpa|lamento",
    "pt": "não posso|não consigo|desculpe|sinto muito|não tenho acesso|lamento",
    "it": "non posso|mi dispiaceno in grado|non so",
    "nl": "ik kan geen|ik kan niet|het spijt me",
    "ru": "не могу|извините|к сожалению|не имею доступа|простите|невозможно",
    "tr": "üzgünüm|izleyemem|göremiyorum|erişimim yok",
    "ar": "لا أستطيع|لا يمكنني|آسف|عذرا|عذرًا",
    "hi": "नहीं देख सकता|माफ़|क्षमा|नहीं कर सकता",
    "ta": "முடியாது|மன்னிக்க",
}
