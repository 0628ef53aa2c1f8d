"""What chapters share: families, letters, words and places of sliders, spectra, and when to stop."""

import numpy as np

from mtlbook_lib.chapters import style


def test_families_and_letters_keep_the_order() -> None:
    members = {"weak": 1.0, "strong": 3.0}
    weak, strong = style.sequence(2)
    assert list(style.family(members)) == [(weak, "weak", 1.0), (strong, "strong", 3.0)]
    assert list(style.lettered(members)) == [("a", "weak", 1.0), ("b", "strong", 3.0)]
    assert [letter for letter, _, _ in style.lettered(members, "c")] == ["c", "d"]


def test_panels_that_are_yielded_keep_their_words() -> None:
    @style.panel_by_panel
    def drawn(names: list[str], unit: str = "") -> style.Described:
        for title in names:
            yield style.panel(title=title)[0], f"{title}{unit}"

    figures, alts = drawn(["weak", "strong"], unit=" noise")
    assert [figure.axes[0].get_title() for figure in figures] == ["weak", "strong"]
    assert alts == ["weak noise", "strong noise"]
    assert drawn([]) == ([], [])


def test_words_and_place_of_a_slider() -> None:
    curves = {"one": (np.array([0.5, 0.125]), np.zeros(2)), "two": (np.array([3.0, 9.0, 2.0]), np.zeros(3))}
    assert style.from_to(curves, ".2f") == ["one from 0.50 to 0.12", "two from 3.00 to 2.00"]
    assert [style.nearest(np.array([0.1, 1.0, 10.0]), value) for value in (0.2, 0.9, 99.0)] == [0, 1, 2]
    draw, say = style.framed(lambda place: (style.panel(title=f"{place}")[0], f"at {place}"))
    assert (draw(2).axes[0].get_title(), say(3)) == ("2", "at 3")


def test_numbers_of_labels_have_a_true_minus_sign_and_powers_of_ten() -> None:
    found = [style.written(value) for value in (0.001, 1.0, -0.5, 1e-5, 2e-6, -3e-12, 4e9)]
    assert found == ["0.001", "1", "−0.5", "10⁻⁵", "2·10⁻⁶", "−3·10⁻¹²", "4·10⁹"]
