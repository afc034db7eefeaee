"""YouTube ids out of URLs; yt-dlp, which has read them for years, is the outside truth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_dataset import clip_name, video_id

ID = "dQw4w9WgXcQ"

# Forms that yt-dlp takes as they are.
FORMS = [
    ID,
    f"https://www.youtube.com/watch?v={ID}",
    f"http://www.youtube.com/watch?v={ID}",
    f"https://youtube.com/watch?v={ID}",
    f"https://m.youtube.com/watch?v={ID}",
    f"https://music.youtube.com/watch?v={ID}&feature=share",
    f"https://www.youtube.com/watch?list=PL0123456789A&v={ID}&index=3",
    f"https://www.youtube.com/watch?app=desktop&v={ID}&t=1m30s",
    f"https://www.youtube.com/watch?v={ID}#t=90",
    f"https://www.youtube.com/watch?feature=share&amp;v={ID}",
    f"https://www.youtube.com/#!v={ID}",
    f"https://www.youtube.com/?v={ID}",
    f"https://youtu.be/{ID}",
    f"https://youtu.be/{ID}?t=90&si=AbCdEf",
    f"https://youtu.be/{ID}&t=90",
    f"https://www.youtube.com/shorts/{ID}",
    f"https://www.youtube.com/shorts/{ID}?feature=share",
    f"https://www.youtube.com/embed/{ID}?start=5&end=9",
    f"https://www.youtube-nocookie.com/embed/{ID}?rel=0",
    f"https://www.youtube.com/live/{ID}?si=AbCdEf",
    f"https://www.youtube.com/v/{ID}&fs=1",
    f"https://www.youtube.com/e/{ID}",
    f"//www.youtube.com/embed/{ID}",
]
# Forms of the same addresses that yt-dlp does not take, but people write.
MORE_FORMS = [
    f"youtube.com/watch?v={ID}",
    f"www.youtube.com/watch?v={ID}",
    f"youtu.be/{ID}",
    f"HTTPS://WWW.YouTube.COM/watch?v={ID}",
    f"  https://youtu.be/{ID}\n",
    f"https://youtu.be/{ID}/",
    f"https://www.youtube.com/watch/{ID}",
    f"https://www.youtube.com:443/watch?v={ID}",
    f"https://www.youtube.com/watch?v={ID}&v={ID}",
    f"https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D{ID}%26feature%3Dshare",
]
NO_VIDEOS = [
    "",
    " ",
    "dQw4w9WgXc",
    "dQw4w9WgXcQQ",
    "dQw4w9WgXc!",
    "https://www.youtube.com/watch",
    "https://www.youtube.com/watch?v=",
    "https://www.youtube.com/watch?v=dQw4w9WgXc",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQQ",
    f"https://www.youtube.com/watch?v={ID}&v=aaaaaaaaaaa",
    "https://youtu.be/dQw4w9WgXcQQ",
    "https://youtu.be/dQw4w9\nWgXcQ",
    "https://youtu.be/",
    "https://www.youtube.com/playlist?list=PL0123456789A",
    "https://www.youtube.com/embed/videoseries?list=PL0123456789A",
    "https://www.youtube.com/embed/live_stream?channel=UC0123456789A",
    "https://www.youtube.com/@somechannel",
    "https://www.youtube.com/channel/UC0123456789A",
    f"https://www.youtube.com/redirect?v={ID}",
    f"https://vimeo.com/{ID}",
    f"https://youtube.com.example.org/watch?v={ID}",
    f"https://notyoutube.com/watch?v={ID}",
    f"https://youtube.com@example.org/watch?v={ID}",
    f"ftp://youtube.com/watch?v={ID}",
    f"https://example.org/?u=https://youtu.be/{ID}",
    "http://[::1",
    "youtube.com/attribution_link?u=/attribution_link?u=" * 2000,
]


@pytest.mark.parametrize("url", FORMS)
def test_every_form_names_its_video_as_yt_dlp_reads_it(url: str) -> None:
    from yt_dlp.extractor.youtube import YoutubeIE

    assert YoutubeIE._match_valid_url(url).group("id") == ID
    assert video_id(url) == ID


@pytest.mark.parametrize("url", MORE_FORMS)
def test_forms_that_people_write(url: str) -> None:
    assert video_id(url) == ID


@pytest.mark.parametrize("url", NO_VIDEOS)
def test_what_names_no_single_video_raises(url: str) -> None:
    with pytest.raises(ValueError, match="one YouTube video"):
        video_id(url)


@given(st.text())
def test_any_text_gives_an_id_or_a_value_error(text: str) -> None:
    try:
        assert len(video_id(text)) == 11
    except ValueError as error:
        assert "one YouTube video" in str(error)


def test_clip_names_are_the_hash_of_video_and_milliseconds() -> None:
    # printf 'dQw4w9WgXcQ/1.500/64.250' | sha256sum
    assert clip_name(ID, 1.5, 64.25) == "4d398565b8e870551c2c.mp4"
    assert clip_name(ID, 1.5, 64.2501) == clip_name(ID, 1.5, 64.25)
    assert clip_name(ID, 1.501, 64.25) != clip_name(ID, 1.5, 64.25)
