"""The words around times, one line a language."""

from cmb_harness.grammar.words import Table

# Between the two times of a range.
RANGE: Table = {
    "en": "to|until|till|til|through|thru|up to|up until|and ends at|and ending at|and ends around|"
    "ending at|and until|and lasts until|and continues until",
    "id": "sampai|sampai dengan|hingga|s/d|s.d.|s.d|ke|sd|sehingga|berakhir di",
    "fil": "hanggang|hanggang sa",
    "vi": "đến|tới|cho đến|cho tới|đến hết|đến khoảng|tới khoảng",
    "th": "ถึง|จนถึง|ไปจนถึง|ไปถึง|จน|กระทั่งถึง",
    "km": "ដល់|រហូតដល់|ទៅដល់|រហូត",
    "my": "မှ|ကနေ|မှသည်|ကနေပြီး|မှစ၍",
    "lo": "ຫາ|ຮອດ|ເຖິງ",
    "zh": "到|至|直到",
    "ja": "から|より",
    "ko": "부터|에서",
    "de": "bis|bis zu|bis zur",
    "fr": "à|jusqu'à|au|jusqu'a",
    "es": "a|hasta|al",
    "pt": "até",
    "it": "fino a|al",
    "nl": "tot",
    "tr": "ile",
    "ru": "до|по",
    "ar": "إلى|حتى",
    "hi": "से",
    "sign": "-|–|—|~|〜|―|─|→|->|-->|=>|⇒|--|..|...|<->|↔|⁓|ー|—>|–>",
}
# Before the first time; makes "and" a range.
BETWEEN: Table = {
    "en": "between|in between",
    "id": "antara|di antara",
    "fil": "sa pagitan ng|pagitan ng",
    "vi": "giữa",
    "th": "ระหว่าง",
    "km": "ចន្លោះ|រវាង|ចន្លោះពី",
    "zh": "介于",
    "de": "zwischen",
    "fr": "entre",
    "es": "entre",
    "ru": "между",
}
# After the second time; makes "and" a range.
BETWEEN_AFTER: Table = {"zh": "之间|之間|间", "ja": "の間|の間に", "ko": "사이", "my": "ကြား|အကြား"}
AND: Table = {
    "en": "and|&|then|and then",
    "id": "dan",
    "fil": "at",
    "vi": "và",
    "th": "และ|กับ",
    "km": "និង",
    "my": "နှင့်|နဲ့",
    "zh": "和|与",
    "ja": "と",
    "ko": "와|과",
    "de": "und",
    "fr": "et",
    "es": "y",
    "pt": "e",
    "ru": "и",
}
# Before a time that starts the event, whatever stands between it and the end.
START: Table = {
    "en": "start|starts|starting|started|start time|start timestamp|starttime|begin|begins|beginning|"
    "began|begin time|from|onset|since|commences|commencing|commence|kicks off|first appears|opens|"
    "initiates",
    "id": "mulai|dimulai|bermula|awal|dari|mula|waktu mulai|masa mula|sejak|bermulanya",
    "fil": "simula|nagsisimula|nagsimula|magsisimula|mula|umpisa|nag-umpisa|pagsisimula",
    "vi": "bắt đầu|từ|khởi đầu|thời điểm bắt đầu|",
    "th": "เริ่ม|เริ่มต้น|เริ่มที่|เริ่มจาก|ตั้งแต่|จาก|เวลาเริ่ม|เวลาเริ่มต้น",
    "km": "ចាប់ផ្តើម|ចាប់ផ្ដើម|ចាប់ពី|ពី|ដើម",
    "my": "စတင်|အစ|စ|စတင်ချိန်",
    "zh": "开始|開始|起始|从|開始時間|开始时间|始于",
    "ja": "開始|始まり|開始時刻|始点",
    "ko": "시작|시작 시간",
    "de": "start|beginn|beginnt|anfang|ab|von|startet|startzeit",
    "fr": "début|commence|débute|de|dès|à partir de|démarre",
    "es": "inicio|comienza|empieza|desde|inicia|comienzo|a partir de",
    "pt": "início|começa",
    "ru": "начало|начинается|с|от",
    "ar": "من|البداية|يبدأ",
}
# The same, if no other label says that the time is the end ("at 12 … until 20").
AT: Table = {
    "en": "at",
    "id": "pada",
    "vi": "lúc|tại",
    "fil": "sa",
    "th": "ที่",
    "km": "នៅ",
    "de": "bei",
    "fr": "à",
}
END: Table = {
    "en": "is over by|is over at|over by|over at|done by|end|ends|ending|ended|end time|end timestamp|"
    "endtime|stop|stops|stopping|stop time|finish|finishes|finishing|finish time|offset|until|till|til|"
    "to|through|concludes|concluding|conclude|up to|closes|terminates|last until|lasts until|"
    "continues until|continuing until",
    "id": "akhir|berakhir|selesai|sampai|hingga|tamat|waktu selesai|masa tamat|waktu berakhir|berakhirnya",
    "fil": "tapos|nagtatapos|nagtapos|magtatapos|hanggang|katapusan|wakas|natatapos|pagtatapos|dulo",
    "vi": "kết thúc|đến|tới|thời điểm kết thúc",
    "th": "สิ้นสุด|จบ|จบที่|ถึง|จนถึง|สิ้นสุดที่|เวลาสิ้นสุด|เวลาจบ|เสร็จ",
    "km": "បញ្ចប់|ចប់|ដល់|រហូតដល់|ចុង",
    "my": "ပြီးဆုံး|အဆုံး|ဆုံး|ပြီးဆုံးချိန်|ပြီး",
    "zh": "结束|結束|终止|到|结束时间|結束時間|止于|结束于",
    "ja": "終了|終わり|終了時刻|終点",
    "ko": "종료|끝|종료 시간",
    "de": "ende|endet|bis|schluss|endzeit",
    "fr": "fin|se termine|finit|jusqu'à|termine|s'achève",
    "es": "fin|termina|acaba|hasta|finaliza|final|finalización",
    "pt": "fim",
    "ru": "конец|заканчивается|до|окончание",
    "ar": "إلى|النهاية|ينتهي",
}
DURATION: Table = {
    "en": "lasts|lasting|last|lasted|lasts for|lasting for|for|duration|duration of|length|"
    "continues for|continuing for|runs for|goes on for|takes|over the next|for the next|dur|"
    "for a duration of|with a duration of|a duration of|spanning|persists for",
    "id": "selama|berlangsung|berlangsung selama|durasi|tempoh|selama kira-kira",
    "fil": "tumatagal|tumatagal ng|sa loob ng|tagal|nagtatagal ng",
    "vi": "kéo dài|trong|thời lượng|dài",
    "th": "นาน|เป็นเวลา|กินเวลา|ยาว|ระยะเวลา",
    "km": "រយៈពេល|អស់",
    "my": "ကြာ|ကြာချိန်",
    "zh": "持续|持續|时长|時長|历时",
    "ja": "継続時間|長さ",
    "ko": "동안|지속 시간",
    "de": "dauert|dauer|für|lang",
    "fr": "dure|pendant|durée",
    "es": "dura|durante|duración",
    "ru": "длится|длительность",
}
LONG: Table = {
    "en": "long|in length|in duration|later|after that|in total|of footage",
    "vi": "sau đó",
    "th": "ต่อมา",
    "de": "lang|später",
    "ja": "間",
    "ko": "동안",
    "zh": "长|後|后",
    "my": "ကြာ",
}
# A number right after one of these is the length of the video.
VIDEO_LENGTH: Table = {
    "en": "video is|video lasts|video runs|video runs from|video runs for|video lasts for|"
    "video goes from|video spans|video has a duration of|video has a length of|video is about|"
    "video is approximately|video is only|video is around|video was|video of|clip is|clip lasts|"
    "clip runs|clip runs from|clip has a duration of|clip is about|footage is|footage lasts|"
    "recording is|recording lasts|video duration|video duration is|video duration of|"
    "duration of the video|duration of the video is|length of the video is|video length|"
    "video length is|total duration|total duration is|total length|total length is|"
    "total duration of the video is|entire video|whole video|full video|video, which is|clip, which is|"
    "whole clip|entire clip|video's duration is|video's length is|out of|video from|clip from|"
    "videos of|video covers|clip covers|video duration_s|video with a duration of|runtime|runtime is",
    "id": "video berdurasi|durasi video|video ini berdurasi|durasi video adalah|panjang video|"
    "durasi video ini|video berlangsung|tempoh video",
    "fil": "haba ng video|tagal ng video|ang video ay",
    "vi": "video dài|thời lượng video|thời lượng video là|video kéo dài|video có độ dài|độ dài video",
    "th": "วิดีโอยาว|ความยาววิดีโอ|วิดีโอมีความยาว|ความยาวของวิดีโอ|วิดีโอนี้ยาว",
    "km": "វីដេអូមានរយៈពេល|រយៈពេលវីដេអូ",
    "my": "ဗီဒီယိုသည်|ဗီဒီယိုကြာချိန်",
    "zh": "视频长|视频时长|视频总长|视频时长为|视频长度",
    "ja": "動画は|動画の長さは",
    "de": "video ist|video dauert|videolänge",
    "fr": "vidéo dure|durée de la vidéo|vidéo est de",
    "es": "video dura|vídeo dura|duración del video",
}
# Before a time or around it; says nothing.
APPROXIMATELY: Table = {
    "en": "about|around|approximately|approx|approx.|roughly|circa|ca.|nearly|almost|near|exactly|"
    "precisely|at|the|timestamp|time|mark|point|ish|at about|at around|on|is|was|in|of|=|t|value|s|"
    "occurs|roughly at|in seconds|just|only|after|before|moment|seconds mark|s mark|again|then|time is|"
    "time:|timestamp:|somewhere|maybe|perhaps|likely|probably",
    "id": "sekitar|kira-kira|kurang lebih|pada|di|lebih kurang|waktu|ke|anggaran|adalah|ialah|menit ke|"
    "kira kira|yang",
    "fil": "mga|humigit-kumulang|bandang|sa|ika|ang|tinatayang|ay|ng",
    "vi": "khoảng|chừng|ở|tại|lúc|vào|thứ|vào khoảng|là|thời điểm|vào lúc|xấp xỉ|mốc|của video",
    "th": "ประมาณ|ราว|ราวๆ|ที่|ในเวลา|เวลา|ณ|ช่วง|คือ|นาทีที่|ช่วงเวลา|ตอน",
    "km": "ប្រហែល|នៅ|ទី|ប្រមាណ|គឺ|ត្រង់",
    "my": "ခန့်|လောက်|ခန့်မှန်း|အချိန်|မှာ|တွင်|ဝန်းကျင်",
    "zh": "约|約|大约|大約|大概|左右|第|在|于|是|为",
    "ja": "約|およそ|第|頃|は|付近",
    "ko": "약|대략|제|쯤|경|은|는|이|가",
    "de": "etwa|ungefähr|ca|circa|rund|bei|zirka|um|der|die|ist|zur|zu",
    "fr": "environ|vers|à peu près|à|la|est|les|l'",
    "es": "aproximadamente|unos|cerca de|alrededor de|en|el|los|es|las|del",
    "pt": "cerca de|aproximadamente|o|os",
    "ru": "примерно|около|на|это",
}
ORDINAL_PREFIX: Table = {
    "id": "ke",
    "fil": "ika",
    "vi": "thứ",
    "th": "ที่",
    "km": "ទី",
    "zh": "第",
    "ja": "第",
    "en": "number|no.|mark",
    "my": "အမှတ်",
}
# A bare number after one of these is no time. A colon in between makes it one ("Moment: 12.5").
NO_TIME_BEFORE: Table = {
    "en": "options|choices|moments|videos|clips|events|steps|parts|stages|scenes|figures|shots|pages|"
    "chapters|lines|verses|rows|numbers|items|sections|questions|tasks|codes|option|choice|moment|"
    "video|clip|event|sub-event|step|part|stage|scene|figure|fig.|fig|table|shot|no.|number|http|error|"
    "error code|code|status|status code|page|version|top|item|chapter|segment|section|sequence|action|"
    "answer|candidate|phase|level|grade|round|image|picture|line|row|episode|season|rank|vol|volume|"
    "class|group|act|track|camera|question|task|gpt|qwen|gemini|sdk|type|january|february|march|april|"
    "may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|"
    "nov|dec|year|in year|age|aged|rule|exit code|response|channel|fps|figure no.|attempt|variant|#",
    "id": "opsi|pilihan|momen|langkah|bagian|adegan|nomor|tahap|peristiwa|kejadian|tahun|kode|halaman|"
    "gambar|bahagian|acara|klip",
    "fil": "opsyon|bahagi|hakbang|eksena|numero|taong|kaganapan",
    "vi": "lựa chọn|phương án|bước|phần|cảnh|câu|sự kiện|năm|lỗi|mã|trang|hình|mã lỗi|tập",
    "th": "ตัวเลือก|ข้อ|ขั้นตอน|ขั้นตอนที่|ข้อที่|ฉาก|ฉากที่|ส่วนที่|เหตุการณ์ที่|ปี|พ.ศ.|ค.ศ.|หน้า|ตัวเลือกที่|ขั้นที่",
    "km": "ជម្រើស|ជំហាន|ឈុត|ឆ្នាំ|លេខ|ព្រឹត្តិការណ៍",
    "my": "ရွေးချယ်မှု|အဆင့်|အပိုင်း|နှစ်|ဖြစ်ရပ်",
    "zh": "选项|步骤|场景|事件|第一|阶段|错误|图",
    "ja": "選択肢|手順|場面|ステップ|エラー|図",
    "ko": "선택지|단계|장면|오류|보기",
    "de": "schritt|szene|fehler|teil|jahr|abschnitt",
    "fr": "étape|scène|erreur|partie|année",
    "es": "opción|paso|escena|parte|año",
    "sign": "$|€|£|¥|°|×|₫|฿|៛|₱|№",
}
# The same, also after a colon: scores and settings.
SCORE_BEFORE: Table = {
    "en": "confidence|confidence score|confidence level|score|probability|prob|certainty|iou|"
    "frame rate|resolution|rating|similarity|temperature|seed|threshold|accuracy|likelihood|weight|id|"
    "video id|duration of video|total frames|frame count|rank|index|step|page|version|error|status|"
    "code|at fps",
    "vi": "độ tin cậy|độ tự tin|xác suất",
    "id": "keyakinan|tingkat keyakinan|skor|probabilitas|tahap keyakinan",
    "th": "ความมั่นใจ|ความเชื่อมั่น|คะแนน",
    "zh": "置信度|概率|得分",
    "ja": "信頼度|確信度",
    "ko": "신뢰도|확률",
}
# Words that may follow a bare number that is a time. Any other word makes it a count.
AFTER_TIME: Table = {
    "en": "to|until|till|til|through|thru|up|and|or|the|a|an|when|where|while|in|on|as|with|for|"
    "because|which|there|it|he|she|they|we|lasts|lasting|is|was|ends|ending|end|stop|stops|finish|"
    "finishes|offset|at|into|seems|after|before|then|but|since|this|that|during|mark|continues|"
    "according|based|so|long|respectively|inclusive|not|rather|instead|would|i|by|if|from|start|starts|"
    "begin|begins|duration|length|approximately|approx|about|around|or so|however|marks|once|just|only|"
    "within|correspond|corresponding|corresponds|confidence|having|showing|shows|depicting|matches|best",
    "id": "sampai|hingga|dan|ke|saat|ketika|pada|di|dari|yang|karena|sehingga|selama|berakhir|selesai|"
    "dengan|adalah|s|atau|dalam|apabila|semasa|tamat|lalu|kemudian|bukan",
    "fil": "hanggang|at|sa|nang|kung|habang|ng|ang|dahil|o|nagtatapos|ay|kapag|po",
    "vi": "đến|tới|và|khi|lúc|trong|vì|ở|cho|của|là|kết|hoặc|kéo|thì|mà|sau|không|tại",
    "de": "bis|und|wenn|wo|in|im|als|oder|endet|die|der|das",
    "fr": "à|et|quand|lorsque|dans|jusqu'à|ou|où|au|pendant|la|le|les|de",
    "es": "a|y|hasta|cuando|en|o|al|del|donde|termina|de|la|el|los",
    "ru": "до|и|по|когда|в",
}
# The same in scripts without spaces, right after the number.
AFTER_TIME_JOINED: Table = {
    "th": "ครับ|ค่ะ|คะ|เมื่อ|ใน|ที่|ซึ่ง|ของ|โดย|หรือ|ตอน|ขณะ|นับ|จึง",
    "km": "ពេល|នៅ|ដែល|ឬ|ក្នុង|និង",
    "my": "အထိ|ထိ|တွင်|မှာ|အတွင်း|ဖြစ်|အချိန်|သို့|ပါ|ခန့်|လောက်|၊|။",
    "zh": "之间|之間|左右|时|的|，|。|、|期间|这|那|处|间|内",
    "ja": "まで|の間|に|です|頃|で|の|、|。|付近|間|が",
    "ko": "까지|사이|에|입니다|쯤|동안|이|의|로",
}
# Units of other things: no time, even with a fraction.
OTHER_UNIT: Table = {
    "en": "km|kg|cm|mm|meters|metres|meter|metre|feet|ft|inches|miles|years|year|days|day|months|weeks|"
    "dollars|usd|euros|px|pixels|mb|gb|kb|hz|khz|bpm|fps|db|people|times|points|degrees|watts|volts|"
    "tokens|x",
    "sign": "°|℃|€|$|£|×",
}
# A span after it, or before it, is rejected.
NOT_THE_SPAN: Table = {
    "en": "initially thought|first thought|i thought|originally thought|thought it was|not|rather than|"
    "instead of|isn't|is not|unlike|neither|nor|excluding|eliminate|rule out|ruling out|incorrect|"
    "wrong|cannot be|can't be|as opposed to|except",
    "id": "bukan|bukannya|daripada|alih-alih",
    "fil": "hindi|sa halip na|imbes na",
    "vi": "không phải|chứ không phải|thay vì|không phải là",
    "th": "ไม่ใช่|แทนที่จะเป็น",
    "km": "មិនមែន|មិនមែនជា",
    "my": "အစား",
    "zh": "不是|而不是|而非|并非",
    "de": "nicht|statt|anstatt",
    "fr": "pas|plutôt que|au lieu de|et non",
    "es": "no es|en lugar de|en vez de|y no",
}
CONCLUDING: Table = {
    "en": "therefore|thus|hence|so|consequently|overall|in summary|in conclusion|to conclude|in short",
    "id": "jadi|oleh karena itu|oleh itu|kesimpulannya",
    "fil": "kaya|samakatuwid",
    "vi": "vậy|do đó|vì vậy|tóm lại",
    "th": "ดังนั้น|สรุป",
    "km": "ដូច្នេះ",
    "my": "ထို့ကြောင့်|ဒါကြောင့်",
    "zh": "因此|所以|综上",
    "ja": "よって|したがって|つまり",
    "ko": "따라서|그러므로",
    "de": "daher|somit",
    "fr": "donc|ainsi",
    "es": "por lo tanto|entonces",
}
# After a span that has a line to itself.
AFTER_SPAN: Table = {
    "en": "seconds|second|sec|s|in the video|of the video|into the video|approximately|respectively|"
    "inclusive",
    "fil": "po",
    "vi": "của video|trong video|giây",
    "th": "ครับ|ค่ะ|วินาที|ของวิดีโอ",
    "km": "វិនាទី",
    "my": "အထိ|ထိ|ပါ|အတွင်း|ဖြစ်ပါတယ်|ဖြစ်ပါသည်",
    "zh": "秒|左右|期间",
    "ja": "まで|です|でした|の",
    "ko": "까지|입니다|이다",
}
# Two times after it are a span, however they are joined.
SPAN_NOUN: Table = {
    "en": "timestamp|timestamps|time stamps|time span|timespan|time range|time interval|interval|"
    "segment|span|start and end|start and end times|start and end time|time window|time frame|timeframe",
    "id": "rentang waktu|interval|waktu mulai dan selesai",
    "vi": "khoảng thời gian|mốc thời gian|đoạn",
    "th": "ช่วงเวลา",
    "km": "ចន្លោះពេល",
    "zh": "时间段|时间戳|区间|时间区间",
    "ja": "時間帯|区間|タイムスタンプ",
    "ko": "구간|시간대|타임스탬프",
}
# The first and the last second of the video, said in words; the last only where its length is known.
VIDEO_BEGINS: Table = {
    "en": "the beginning|the start|the very beginning|the very start|the beginning of the video|"
    "the start of the video|the beginning of the clip|the start of the clip|beginning of the video|"
    "start of the video",
    "id": "awal video|permulaan video|awal",
    "fil": "simula ng video|umpisa ng video",
    "vi": "đầu video|đầu",
    "th": "ต้นวิดีโอ|ตอนต้น|จุดเริ่มต้น",
    "km": "ដើមវីដេអូ",
    "my": "ဗီဒီယိုအစ",
    "zh": "视频开头|视频开始|开头",
    "ja": "動画の最初|最初|冒頭",
    "de": "anfang an|beginn an|dem anfang|beginn des videos",
    "fr": "début de la vidéo|le début",
    "es": "el principio|el inicio|el comienzo",
}
VIDEO_ENDS: Table = {
    "en": "the end|the very end|the end of the video|the end of the clip|end of the video|"
    "end of the clip|end|the video ends|the video's end",
    "id": "akhir video|video selesai|akhir",
    "fil": "dulo ng video|katapusan ng video|dulo|katapusan",
    "vi": "cuối video|hết video|cuối|hết",
    "th": "จบวิดีโอ|จบคลิป|ตอนจบ|จบ",
    "km": "ចប់វីដេអូ|ចុងវីដេអូ|ចប់",
    "my": "ဗီဒီယိုအဆုံး",
    "zh": "视频结束|视频结尾|结束|结尾",
    "ja": "動画の最後|最後|終わり",
    "de": "zum ende|ende des videos|ende|schluss",
    "fr": "la fin|fin de la vidéo",
    "es": "el final|final del video|el fin",
}
# Before the words for the first second.
SINCE: Table = {
    "en": "from|since|between",
    "id": "dari|sejak",
    "fil": "mula sa|mula",
    "vi": "từ",
    "th": "จาก|ตั้งแต่",
    "km": "ពី|ចាប់ពី",
    "my": "",
    "zh": "从",
    "de": "von|vom|ab",
    "fr": "depuis|dès",
    "es": "desde",
}
VIDEO: Table = {
    "en": "video|videos|clip|clips|footage|recording",
    "th": "วิดีโอ",
    "zh": "视频",
    "ja": "動画",
    "ko": "영상",
}
