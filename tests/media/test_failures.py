"""Messages that YouTube really gives, as yt-dlp passes them on, and the state each stands for."""

import http.client

import pytest

from cmb_harness.media.failures import STATES, TRANSIENT, failure_of, state_of_message

SAID = {
    "private": [
        "[youtube] yZIXLfi8CZQ: Private video. Sign in if you've been granted access to this video. Use "
        "--cookies-from-browser or --cookies for the authentication.",
        "[youtube] abc: This video is private",
    ],
    "removed": [
        "[youtube] XyHm0BmtLHg: Video unavailable",
        "[youtube] abc: Video unavailable. This video has been removed by the uploader",
        "[youtube] abc: Video unavailable. This video is no longer available because the YouTube account associated "
        "with this video has been terminated.",
        "[youtube] abc: This video has been removed for violating YouTube's policy on hate speech. Learn more about "
        "combating hate speech in your country.",
        "[youtube] abc: Video unavailable. This video is no longer available due to a copyright claim by Some Label",
        "[youtube] abc: This video is not available",
        "[youtube] abc: This video is no longer available because the uploader has closed their YouTube account.",
        "[youtube] abc: This video doesn't exist",
        "[generic] Unable to download webpage: HTTP Error 404: Not Found (caused by <HTTPError 404: Not Found>)",
        "unable to download video data: HTTP Error 410: Gone",
    ],
    "geo_blocked": [
        "[youtube] abc: The uploader has not made this video available in your country\nThis video is available in "
        "Japan. You might want to use a VPN or a proxy server (with --proxy) to workaround.",
        "[youtube] abc: Video unavailable. The uploader has not made this video available in your country",
        "[youtube] abc: Video unavailable. This video contains content from SME, who has blocked it in your country "
        "on copyright grounds",
        "[youtube] abc: This video is not available from your location due to geo restriction.",
    ],
    "age_restricted": [
        "[youtube] abc: Sign in to confirm your age. This video may be inappropriate for some users. Use "
        "--cookies-from-browser or --cookies for the authentication.",
        "[youtube] abc: This video is age-restricted and only available on YouTube. Learn more",
    ],
    "login_required": [
        "[youtube] abc: Join this channel to get access to members-only content like this video, and other exclusive "
        "perks.",
        "[youtube] abc: This video is available to this channel's members on level: Supporter (or any higher level). "
        "Join this channel to get access to members-only content.",
        "[youtube] abc: This video requires payment to watch.",
        "[youtube] abc: Please sign in. Use --cookies-from-browser or --cookies for the authentication.",
        "This video is only available for registered users. Use --username and --password",
    ],
    "not_yet_available": [
        "[youtube] abc: Premieres in 3 days",
        "[youtube] abc: This live event will begin in 22 hours.",
        "[youtube] abc: This live stream recording is not available.",
    ],
    "rate_limited": [
        "[youtube] abc: Sign in to confirm you\N{RIGHT SINGLE QUOTATION MARK}re not a bot. Use --cookies-from-browser "
        "or --cookies for the authentication.",
        "[youtube] abc: Sign in to confirm you're not a bot. This helps protect our community. Learn more",
        "[youtube] abc: Video unavailable. This content isn't available, try again later. The current session has "
        "been rate-limited by YouTube for up to an hour.",
        "[youtube] abc: Unable to download API page: HTTP Error 429: Too Many Requests",
        "[youtube] abc: Video unavailable. YouTube is requiring a captcha challenge before playback",
    ],
    "forbidden": ["unable to download video data: HTTP Error 403: Forbidden"],
    "no_format": [
        "[youtube] abc: Requested format is not available. Use --list-formats for a list of available formats",
        "[youtube] abc: This video is DRM protected",
        "[youtube] abc: No video formats found!",
    ],
    "network": [
        "[youtube] abc: Unable to download API page: [Errno -3] Temporary failure in name resolution",
        "[youtube] abc: Unable to download webpage: The read operation timed out",
        "unable to download video data: HTTP Error 503: Service Unavailable",
        "[download] Got error: 1048576 bytes read, 5242880 more expected. Giving up after 3 retries",
        "[youtube] abc: Unable to download webpage: [SSL: UNEXPECTED_EOF_WHILE_READING] EOF occurred",
        "Remote end closed connection without response",
    ],
    "corrupt": ["Unsupported URL: http://127.0.0.1/abc"],
    "failed": ["[youtube] abc: Some words that nobody has heard before"],
}


@pytest.mark.parametrize(("state", "message"), [(state, said) for state in SAID for said in SAID[state]])
def test_a_message_tells_its_state(state, message):
    assert state_of_message(message) == state


def test_every_state_is_explained_and_only_passing_ones_are_tried_again():
    assert set(SAID) | {"ok", "too_short", "changed"} == set(STATES)
    assert {"rate_limited", "forbidden", "network"} == TRANSIENT


@pytest.mark.parametrize(
    ("status", "state"),
    [(401, "login_required"), (403, "forbidden"), (404, "removed"), (410, "removed"), (429, "rate_limited"),
     (451, "geo_blocked"), (500, "network"), (503, "network"), (418, "failed")],
)  # fmt: skip
def test_a_status_decides_whatever_the_words_say(status, state):
    from yt_dlp.networking import Response
    from yt_dlp.networking.exceptions import HTTPError
    from yt_dlp.utils import DownloadError, ExtractorError

    headers = http.client.HTTPMessage()
    headers["Retry-After"] = "17"
    cause = HTTPError(Response(None, "http://127.0.0.1/x", headers, status=status))
    inner = ExtractorError("Unable to download webpage", cause=cause)
    failure = failure_of(DownloadError("ERROR: it did not work", (ExtractorError, inner, None)))
    assert (failure.state, failure.message, failure.retry_after_s) == (state, "it did not work", 17)


def test_geo_restriction_is_told_by_its_class():
    from yt_dlp.utils import DownloadError, GeoRestrictedError

    error = GeoRestrictedError("not here", countries=["JP"])
    assert (
        failure_of(DownloadError("ERROR: not here", (GeoRestrictedError, error, None))).state == "geo_blocked"
    )


def test_a_broken_connection_is_network_whatever_the_words_say():
    from yt_dlp.networking.exceptions import TransportError
    from yt_dlp.utils import DownloadError

    error = TransportError("weird words")
    failure = failure_of(DownloadError("ERROR: weird words", (TransportError, error, None)))
    assert (failure.state, failure.unreachable) == ("network", False)
    error = TransportError(cause=ConnectionRefusedError(111, "Connection refused"))
    failure = failure_of(DownloadError(f"ERROR: {error}", (TransportError, error, None)))
    assert (failure.state, failure.unreachable) == ("network", True)


def test_colours_and_line_ends_are_taken_out_of_messages():
    assert failure_of(ValueError("ERROR: \x1b[0;31mred\x1b[0m\n\tand so on")).message == "red and so on"
