#!/usr/bin/env python3
"""Finds the phrases of docs/phrases.txt, and lines of prose that are too long.

    phrases.py               in the sources, scripts, decks and documentation of RILL_SOURCE, and in RILL's manual
                             pages
    phrases.py FILE...       in these files
    phrases.py --self-test   shows that a phrase is found, and plain words are not
"""

import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get('RILL_SOURCE', pathlib.Path(__file__).resolve().parents[2]))
FOLDERS = ('src', 'docs', 'inputs', 'analysis', 'completions', 'bench', 'python', 'tests')
ENDINGS = ('.c', '.h', '.md', '.ini', '.py', '.sh', '.bash', '')
LEFT_OUT = ('docs/phrases.txt', 'tests/docs/phrases.py', 'tests/mutants/table')


def read_list():
    """[(pattern, what to say instead)]"""
    rows = []
    for line in (SOURCE / 'docs/phrases.txt').read_text().splitlines():
        if '=>' in line and not line.startswith('#'):
            pattern, instead = line.split('=>')
            # A phrase may be broken over lines of a comment or a string.
            pattern = pattern.strip().replace(' ', r'[\s*"/#;]+')
            rows.append((re.compile(pattern, re.IGNORECASE), instead.strip()))
    return rows


def find(text, rows):
    """[(line, phrase, what to say)]"""
    return sorted((text.count('\n', 0, match.start()) + 1, ' '.join(match[0].split()), instead)
                  for pattern, instead in rows for match in pattern.finditer(text))


def report(name, text, rows):
    found = find(text, rows)
    for line, phrase, instead in found:
        print(f'{name}:{line}: "{phrase}": say: {instead}')
    return len(found)


def files():
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).rglob('*')):
            if path.is_file() and path.suffix in ENDINGS and str(path.relative_to(SOURCE)) not in LEFT_OUT:
                if path.suffix or path.read_bytes()[:2] == b'#!':
                    yield path
    yield from sorted(SOURCE.glob('*.md'))


def long_lines(text):
    """Numbers of lines of prose with more than 118 characters; tables, code, links and HTML may be longer."""
    code, found = False, []
    for number, line in enumerate(text.splitlines(), 1):
        code ^= line.startswith('```')
        if len(line) > 118 and not code and not line.lstrip().startswith(('|', '<')) and '](' not in line:
            found.append(number)
    return found


def self_test(rows):
    bad = {'the run can be gone on with': 1, 'a\n/* points are Asked\n * for early */': 2,
           '"files that are cut or "\n"others\' files"': 1}
    good = 'the run can be resumed; folklore; the housekeeper; whoever asked early'
    wrong = [text for text, line in bad.items() if {f[0] for f in find(text, rows)} != {line}]
    wrong += [good] if find(good, rows) else []
    page = f'{"x" * 119}\n| {"x" * 119}\n```\n{"x" * 119}\n```\n{"x" * 118}'
    wrong += [page] if long_lines(page) != [1] else []
    for text in wrong:
        print(f'self-test: {text!r}: {find(text, rows)}')
    return len(wrong)


def main():
    rows = read_list()
    if sys.argv[1:] == ['--self-test']:
        return 1 if self_test(rows) or not rows else 0
    if sys.argv[1:]:
        return 1 if sum(report(name, pathlib.Path(name).read_text(), rows) for name in sys.argv[1:]) else 0
    count = sum(report(path.relative_to(SOURCE), path.read_text(errors='replace'), rows) for path in files())
    for path in files():
        for number in long_lines(path.read_text()) if path.suffix == '.md' else ():
            print(f'{path.relative_to(SOURCE)}:{number}: more than 118 characters')
            count += 1
    for page in ('rill', 'rill-mpi', 'rill-combinations'):
        manual = subprocess.run([os.environ['RILL'], '--manual', page], capture_output=True, text=True, check=True).stdout
        count += report(page, manual, rows)
    return 1 if count else 0


if __name__ == '__main__':
    sys.exit(main())
