"""The line below each page: where its links lead with and without a public repository and a BinderHub."""

import pytest

from bookbuild.front import page_footer

REPOSITORY = "https://github.com/owner/name"
CHAPTER = "book/part2/one-mode"


def test_without_a_public_repository_the_links_stay_inside_the_site() -> None:
    found = page_footer.links(CHAPTER, f"{CHAPTER}.md", "", "https://mybinder.org")
    assert found == {
        "Source of this page": "../../_sources/book/part2/one-mode.md",
        "Report an error": "../intro.html#report-an-error",
    }
    assert "Source of this page" not in page_footer.links("search", None, "", "")


def test_with_a_repository_they_lead_there() -> None:
    found = page_footer.links(CHAPTER, f"{CHAPTER}.md", REPOSITORY + "/", "")
    assert found == {
        "Source of this page": f"{REPOSITORY}/blob/HEAD/{CHAPTER}.md",
        "Report an error": f"{REPOSITORY}/issues/new?title={CHAPTER}",
    }


@pytest.mark.parametrize(
    ("repository", "where"),
    [
        (REPOSITORY, "gh/owner/name"),
        ("https://gitlab.com/owner/name", "gl/owner/name"),
        ("https://git.example.org/owner/name", "git/https%3A%2F%2Fgit.example.org%2Fowner%2Fname"),
    ],
)
def test_a_chapter_can_be_launched_and_a_page_without_code_cannot(repository: str, where: str) -> None:
    binder = "https://mybinder.org"
    found = page_footer.links(CHAPTER, None, repository, binder)["Run it on Binder"]
    assert found == f"https://mybinder.org/v2/{where}/HEAD?urlpath=lab%2Ftree%2Fbook%2Fpart2%2Fone-mode.md"
    assert "Run it on Binder" not in page_footer.links("book/notation", None, repository, binder)
