"""ChestX-ray14: its table with commas in the header, its lists, its images."""

from pathlib import Path

import numpy as np
import pytest

from mtlbook_lib.data.benchmarks import FINDINGS, MissingData, chest_xrays, pixels

Image = pytest.importorskip("PIL.Image")
HEADER = (
    "Image Index,Finding Labels,Follow-up #,Patient ID,Patient Age,Patient Gender,View Position,"
    "OriginalImage[Width,Height],OriginalImagePixelSpacing[x,y],"
)
ROWS = (
    "00000001_000.png,Cardiomegaly,0,1,58,M,PA,2682,2749,0.143,0.143,",
    "00000001_001.png,Cardiomegaly|Emphysema,1,1,58,M,PA,2894,2729,0.143,0.143,",
    "00000002_000.png,No Finding,0,2,81,M,PA,2500,2048,0.171,0.171,",
    "00000003_000.png,Hernia,0,3,81,F,PA,2582,2991,0.143,0.143,",
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Data_Entry_2017.csv").write_text("\n".join([HEADER, *ROWS]) + "\n", encoding="utf8")
    names = [row.split(",")[0] for row in ROWS]
    (tmp_path / "train_val_list.txt").write_text("\n".join(names[:2]) + "\n", encoding="utf8")
    (tmp_path / "test_list.txt").write_text("\n".join(names[2:]), encoding="utf8")  # no line feed at the end
    (tmp_path / "images").mkdir()
    for i, name in enumerate(names):
        grey = np.full((8, 8), 40 * i, dtype=np.uint8)
        image = Image.fromarray(grey) if i else Image.fromarray(np.dstack([grey] * 3 + [grey + 255]), "RGBA")
        image.save(tmp_path / "images" / name)
    return tmp_path


def test_findings_follow_the_official_lists(folder):
    train, test = chest_xrays(folder)
    named = [[FINDINGS[j] for j in np.flatnonzero(row)] for row in np.vstack([train.findings, test.findings])]
    assert named == [["Cardiomegaly"], ["Cardiomegaly", "Emphysema"], [], ["Hernia"]]
    assert [Path(file).name for file in test.files] == ["00000002_000.png", "00000003_000.png"]
    assert len(FINDINGS) == 14
    assert train.rows([1]).files == train.files[1:]
    assert np.array_equal(train.rows([1]).findings, train.findings[1:])
    assert len(train.rows([])) == 0
    assert len(train.sample(1, 0)) == 1


def test_images_are_grey_squares(folder):
    train, test = chest_xrays(folder)
    found = pixels([*train.files, *test.files], 4)
    assert found.shape == (4, 4, 4)
    assert found.dtype == np.uint8
    assert pixels(test.files).shape == (2, 224, 224)
    assert found[:, 0, 0].tolist() == [0, 40, 80, 120]
    (folder / "images" / "00000002_000.png").write_bytes(b"no image")
    with pytest.raises(ValueError, match=r"files must hold images: .*00000002_000\.png cannot be read"):
        pixels(test.files)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("Data_Entry_2017.csv", "Image,Labels\n", "line 1: the header must begin with Image Index,Finding Labels"),
        ("Data_Entry_2017.csv", f"{HEADER}\n{ROWS[0]}\na.png,Mass|Cough,0\n", "line 3: .*; got 'Cough'"),
        ("Data_Entry_2017.csv", f"{HEADER}\na.png\n", "line 2: column 2 must be .*; got 1 column"),
        ("test_list.txt", "00000002_000.png\nother.png\n", r"test_list\.txt, line 2: 'other\.png' is not in the table"),
        ("test_list.txt", "\n", "test_list.txt has no rows"),
        ("test_list.txt", "00000002_000.png\n" * 2, "line 2: '00000002_000.png' is in the list before"),
        ("test_list.txt", "00000001_001.png\n", "must have no image in common; 1 are, such as 00000001_001.png"),
        ("Data_Entry_2017.csv", f"{HEADER}\n{ROWS[0]}\n{ROWS[0]}\n", "line 3: '00000001_000.png' has a line before"),
        ("Data_Entry_2017.csv", f"{HEADER}\na.png,Mass|No Finding,0\n", "line 2: .*; got 'Mass|No Finding'"),
    ],
)
def test_a_line_that_does_not_fit_is_named(folder, file, text, message):
    (folder / file).write_text(text, encoding="utf8")
    with pytest.raises(ValueError, match=message):
        chest_xrays(folder)


@pytest.mark.parametrize("file", ["Data_Entry_2017.csv", "train_val_list.txt", "test_list.txt"])
def test_a_missing_file_is_named_with_the_layout(folder, file):
    (folder / file).unlink()
    with pytest.raises(MissingData, match=rf"{file}: file not found.*MTLBOOK_CHESTXRAY.*images/.*nihcc"):
        chest_xrays(folder)


def test_missing_images_are_named(folder, monkeypatch):
    (folder / "images" / "00000003_000.png").unlink()
    with pytest.raises(MissingData, match=r"test_list\.txt, line 2, names .*00000003_000\.png, which was not found"):
        chest_xrays(folder)
    monkeypatch.setenv("MTLBOOK_CHESTXRAY", str(folder))
    (folder / "images").rename(folder / "pictures")
    with pytest.raises(MissingData, match="images: folder not found"):
        chest_xrays(None)


def test_the_newer_table_will_do(folder):
    (folder / "Data_Entry_2017.csv").rename(folder / "Data_Entry_2017_v2020.csv")
    assert len(chest_xrays(folder)[0]) == 2


def test_sixteen_bits_are_scaled_and_not_cut_off(tmp_path):
    grey = np.repeat(np.linspace(0, 65535, 16).astype(np.uint16), 16).reshape(16, 16)
    Image.fromarray(grey).save(tmp_path / "x.png")
    found = pixels([tmp_path / "x.png"], 16)[0]
    np.testing.assert_allclose(found, grey / 257, atol=0.5 + 1e-3)  # to the nearest of 256 values
    assert found.max() == 255
    assert found.min() == 0


def test_other_files_than_png_and_jpeg_and_bombs_are_refused(tmp_path, monkeypatch):
    grey = Image.fromarray(np.full((8, 8), 40, dtype=np.uint8))
    for name in ("x.tiff", "x.bmp", "x.gif", "x.jpg", "x.png"):
        grey.save(tmp_path / name)
    assert pixels([tmp_path / "x.png", tmp_path / "x.jpg"], 2).tolist() == [[[40, 40], [40, 40]]] * 2
    for name in ("x.tiff", "x.bmp", "x.gif"):
        with pytest.raises(ValueError, match=rf"files must hold images: .*{name} cannot be read"):
            pixels([tmp_path / name])
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 20)
    with pytest.raises(ValueError, match=r"files must hold images: .*decompression bomb"):
        pixels([tmp_path / "x.png"])
