"""All checks of the audit, in the order of its table."""

from collections.abc import Sequence

from cmb_harness.construction.audit.attack_checks import attack_findings
from cmb_harness.construction.audit.comparison import comparison_findings
from cmb_harness.construction.audit.findings import Finding, Settings
from cmb_harness.construction.audit.guessers import guesser_findings
from cmb_harness.construction.audit.item_faults import item_fault_findings
from cmb_harness.construction.audit.joins import FileFacts, join_findings
from cmb_harness.construction.audit.release import Release
from cmb_harness.construction.audit.spans import span_findings
from cmb_harness.construction.audit.text_faults import text_fault_findings
from cmb_harness.records import Region


def audit(
    release: Release,
    region: Region,
    *,
    against: Release | None = None,
    files: Sequence[FileFacts] = (),
    settings: Settings | None = None,
) -> list[Finding]:
    """Check a release.

    Args:
        release: what is checked.
        region: its countries, categories and ambiguity groups.
        against: an earlier release to compare it with.
        files: the files that it lies in, for what their names, times and sizes tell.
        settings: seed and bootstrap; the same settings give the same findings.
    """
    settings = settings or Settings()
    countries = {country.code: country.name for country in region.countries}
    cells = [(country, category) for category in region.categories for country in countries]
    findings = [
        *text_fault_findings(release, countries),
        *item_fault_findings(release, region.ambiguity_groups, cells),
        *guesser_findings(release, settings),
        *span_findings(release, settings),
        *attack_findings(release, settings),
        *join_findings(release, settings, files),
    ]
    return findings + (comparison_findings(release, against, settings) if against else [])
