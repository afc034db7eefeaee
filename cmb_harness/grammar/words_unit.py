"""The words for units of time, and what is counted in a video instead, one line a language."""

from cmb_harness.grammar.words import Table

MILLISECONDS: Table = {
    "en": "ms|msec|msecs|millisecond|milliseconds|millis",
    "id": "milidetik|milisaat",
    "vi": "mili giây|miligiây",
    "th": "มิลลิวินาที",
    "zh": "毫秒",
    "ja": "ミリ秒",
    "ko": "밀리초",
    "de": "millisekunden|millisekunde",
    "fr": "millisecondes",
    "es": "milisegundos",
}
SECONDS: Table = {
    "en": "s|sec|secs|second|seconds",
    "id": "detik|dtk|saat",
    "fil": "segundo|segundos|seg",
    "vi": "giây",
    "th": "วินาที|วิ",
    "km": "វិនាទី|វិ",
    "my": "စက္ကန့်|စက်ကန့်|စက္ကန့",
    "lo": "ວິນາທີ",
    "zh": "秒|秒钟|秒鐘",
    "ko": "초",
    "de": "sekunde|sekunden|sek",
    "fr": "seconde|secondes",
    "it": "secondo|secondi",
    "nl": "seconden",
    "tr": "saniye",
    "ru": "секунда|секунды|секунд|секунду|секунде|сек|с",
    "ar": "ثانية|ثواني",
    "hi": "सेकंड|सेकेंड",
    "ta": "வினாடி|விநாடி|வினாடிகள்",
    "sign": "''",
}
MINUTES: Table = {
    "en": "m|min|mins|minute|minutes",
    "id": "menit|mnt|minit",
    "fil": "minuto|minutos",
    "vi": "phút",
    "th": "นาที",
    "km": "នាទី",
    "my": "မိနစ်",
    "lo": "ນາທີ",
    "zh": "分|分钟|分鐘|分鍾",
    "ko": "분",
    "de": "minuten",
    "it": "minuti",
    "nl": "minuut",
    "tr": "dakika",
    "ru": "минута|минуты|минут|минуту|мин",
    "ar": "دقيقة",
    "hi": "मिनट",
    "ta": "நிமிடம்",
}
HOURS: Table = {
    "en": "h|hr|hrs|hour|hours",
    "id": "jam",
    "fil": "oras",
    "vi": "giờ|tiếng",
    "th": "ชั่วโมง|ชม",
    "km": "ម៉ោង",
    "my": "နာရီ",
    "zh": "小时|小時|時間|时",
    "ko": "시간",
    "de": "stunde|stunden",
    "fr": "heure|heures",
    "es": "hora|horas",
    "ru": "час|часа|часов",
}
PERCENT: Table = {
    "en": "%|percent|per cent|pct",
    "id": "persen|peratus",
    "fil": "porsiyento|bahagdan",
    "vi": "phần trăm",
    "th": "เปอร์เซ็นต์",
    "km": "ភាគរយ",
    "my": "ရာခိုင်နှုန်း",
    "ja": "パーセント",
    "ko": "퍼센트|프로",
    "de": "prozent",
    "fr": "pour cent",
    "es": "por ciento",
    "ru": "процентов|процента",
}
FRAMES: Table = {
    "en": "frame|frames",
    "id": "bingkai",
    "vi": "khung hình|khung",
    "th": "เฟรม",
    "km": "ហ្វ្រេម",
    "zh": "帧|幀|帧数",
    "ja": "フレーム",
    "ko": "프레임",
    "fr": "image",
    "es": "fotograma|fotogramas",
    "ru": "кадр|кадра|кадров",
}
# In order: from zero on, and the tens from ten on.
BELOW_TWENTY: Table = {
    "en": "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
    "fifteen|sixteen|seventeen|eighteen|nineteen",
}
TENS: Table = {"en": "|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"}
