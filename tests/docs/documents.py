#!/usr/bin/env python3
"""Runs the command blocks of Markdown documents, and compares what they print with what stands there.

    documents.py FILE.md...      every block of the files, with RILL, RILL_SOURCE and PYTHON from the environment
    documents.py --self-test     shows that each kind of fault is found

Blocks are fenced.  ```console: lines that begin with "$ " are commands ("> " or a backslash continues them), the others
are their output, in which a line "..." stands for any number of lines and "..." at the end of a line for its rest.
```python: a program.  ```ini: a deck, which `rill check` takes when it has an [integrator].  All blocks of a document
run in order in one folder, which has inputs/ and analysis/ beside it.  Comments before a block say otherwise:

    <!-- not run: REASON -->     it stands there to be read
    <!-- run with: ARGUMENT... --> are appended to `rill run` and `rill compare`, to shorten them: then lines are compared
                                 up to their first number only
    <!-- numbers vary: REASON --> lines are compared up to their first number only

Numbers may differ by 2 %, or by one in their last digit; those after +- by a factor of 2.5.  Local links must lead
somewhere.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

NUMBER = re.compile(r'(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w]*\.\w)')
LIMIT = 300  # seconds a block may take
KINDS = ('console', 'python', 'ini', 'c', 'bash', 'text')
LOOKS_LIKE_A_COMMAND = re.compile(r'^(\$ |rill |make |\./|/usr/bin/python3 |analysis/|bench/|git )')


class Block:
    def __init__(self, line, kind):
        self.line, self.kind, self.lines, self.reason, self.arguments = line, kind, [], None, None
        self.vary = False


def blocks_of(text):
    """The fenced blocks, with what the comments before them say."""
    blocks, block, reason, arguments, vary = [], None, None, None, False
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None:
            if line.startswith('```'):
                blocks.append(block)
                block = None
            else:
                block.lines.append(line)
        elif line.startswith('```'):
            block = Block(number, line[3:].strip())
            block.reason, block.arguments, block.vary = reason, arguments, vary
            reason, arguments, vary = None, None, False
        elif line.startswith('<!-- numbers vary: '):
            vary = True
        elif comment := re.fullmatch(r'<!-- (not run|run with): (.*) -->', line):
            reason, arguments = (comment[2], arguments) if comment[1] == 'not run' else (reason, comment[2])
        elif line.strip():
            reason, arguments, vary = None, None, False
    return blocks


def commands_of(block):
    """[(command, [line of output])] of a console block."""
    commands, open_ended = [], False
    for line in block.lines:
        if line.startswith('$ '):
            commands.append([line[2:], []])
        elif commands and not commands[-1][1] and line.startswith('> '):
            commands[-1][0] += '\n' + line[2:]
        elif commands and open_ended:
            commands[-1][0] += '\n' + line
        elif commands:
            commands[-1][1].append(line)
        else:
            raise ValueError(f'line {block.line}: output stands before the first command')
        open_ended = bool(commands) and not commands[-1][1] and commands[-1][0].endswith('\\')
    return commands


def last_digit(text):
    """What one in the last digit of a number is worth."""
    mantissa, _, exponent = text.lower().partition('e')
    decimals = len(mantissa.partition('.')[2])
    return 10.0 ** (int(exponent or 0) - decimals)


def numbers_agree(want, got, is_error):
    a, b = float(want), float(got)
    if is_error:
        return a == b or (a * b > 0 and 0.4 <= b / a <= 2.5)
    return abs(a - b) <= max(0.02 * abs(a), 1.01 * last_digit(want))


def line_agrees(want, got, shortened):
    want, got = ' '.join(want.split()), ' '.join(got.split())
    if shortened:
        first = NUMBER.search(want)
        return got.startswith(want[:first.start()].rstrip()) if first else line_agrees(want, got, False)
    rest = want.endswith('...')
    want = want[:-3].rstrip() if rest else want
    at = 0
    for piece in re.split(f'({NUMBER.pattern})', want):
        if NUMBER.fullmatch(piece):
            while got[at:at + 1] == ' ':
                at += 1
            number = NUMBER.match(got, at)
            if not number or not numbers_agree(piece, number[0], want[:want.find(piece)].endswith('+- ')):
                return False
            at = number.end()
        else:
            for character in piece:
                while character != ' ' and got[at:at + 1] == ' ':
                    at += 1
                if character == ' ':
                    continue
                if got[at:at + 1] != character:
                    return False
                at += 1
    return rest or got[at:].strip() == ''


def first_difference(want, got, shortened):
    """The first line of want that got does not have; None when all agree."""
    if not want:
        return None
    reached = {0}  # how many lines of got can have been passed
    for line in want:
        if line.strip() == '...':
            reached = set(range(min(reached), len(got) + 1))
            continue
        following = {i + 1 for i in reached if i < len(got) and line_agrees(line, got[i], shortened)}
        if not following:
            return line
        reached = following
    return None if len(got) in reached else '(the end)'


def run(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LIMIT, text=True, errors='replace')
    return done.returncode, done.stdout


def run_console(block, folder, environment):
    environment = dict(environment, RILL_DOCUMENT_ARGUMENTS=block.arguments or '')
    for command, want in commands_of(block):
        for key in re.findall(r'--set ([\w.]+)=', block.arguments or ''):
            command = re.sub(rf'--set {re.escape(key)}=\S+', '', command)  # a key can be set but once
        status, output = run(['bash', '-c', command], folder, environment)
        if status != 0:
            return f'$ {command}\nends with {status}:\n{output[-2000:]}'
        got = [line for line in output.splitlines() if line.strip() or '' in want]
        missing = first_difference(want, got, block.vary or block.arguments is not None)
        if missing is not None:
            return f'$ {command}\ndoes not print\n  {missing}\nbut\n{output[:3000]}'
    return None


def run_program(block, folder, environment):
    status, output = run([environment['PYTHON'], '-c', '\n'.join(block.lines)], folder, environment)
    return f'the program ends with {status}:\n{output[-2000:]}' if status else None


def check_deck(block, folder, environment):
    if '[integrator]' not in block.lines:
        return None
    deck = folder / 'inputs' / f'deck-{block.line}.ini'
    deck.write_text('\n'.join(block.lines) + '\n')
    status, output = run(['rill', 'check', str(deck)], folder, environment)
    return f'the deck is refused:\n{output}' if status else None


def run_block(block, folder, environment):
    """None, or what is wrong."""
    if block.kind not in KINDS:
        if any(map(LOOKS_LIKE_A_COMMAND.match, block.lines)):
            return f'commands in a block that is not ```console (but ```{block.kind})'
        return None
    if block.reason is not None:
        return None
    if block.kind == 'bash':
        return 'a script that is not run needs its reason: <!-- not run: ... -->'
    worker = {'console': run_console, 'python': run_program, 'ini': check_deck}.get(block.kind)
    return worker(block, folder, environment) if worker else None


def broken_links(path, text):
    return [link for link in re.findall(r'\]\(([^)#\s]+)(?:#[^)]*)?\)', text)
            if '://' not in link and not (path.parent / link).exists()]


def folder_for(where, source, rill):
    """A folder like a clone after its build."""
    for name in ('inputs', 'analysis', 'docs', 'bench'):
        for path in sorted((source / name).rglob('*')):
            target = where / name / path.relative_to(source / name)
            if path.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(path)
    (where / 'build').symlink_to(pathlib.Path(rill).parent)
    programs = where / '.programs'
    programs.mkdir()
    (programs / 'rill').write_text(f'#!/bin/sh\ncase $1 in\n  run | compare) exec "{rill}" "$@" $RILL_DOCUMENT_ARGUMENTS ;;\n'
                                   f'esac\nexec "{rill}" "$@"\n')
    (programs / 'rill').chmod(0o755)
    (programs / 'python3').symlink_to(os.environ['PYTHON'])
    return dict(os.environ, PATH=f'{programs}:{os.environ["PATH"]}', PYTHONPATH=str(pathlib.Path(rill).parent / 'python'),
                MPLBACKEND='Agg', OMP_NUM_THREADS='2', PYTHONWARNINGS='ignore')


def check_document(path):
    """How many faults it has; each is printed."""
    text, faults = path.read_text(), 0
    source, rill = pathlib.Path(os.environ['RILL_SOURCE']).resolve(), pathlib.Path(os.environ['RILL']).resolve()
    for link in broken_links(path, text):
        print(f'{path.name}: the link {link} leads nowhere')
        faults += 1
    with tempfile.TemporaryDirectory() as where:
        environment = folder_for(pathlib.Path(where), source, rill)
        for block in blocks_of(text):
            try:
                fault = run_block(block, pathlib.Path(where), environment)
            except (ValueError, subprocess.TimeoutExpired) as error:
                fault = str(error)
            if fault:
                print(f'{path.name}:{block.line}: {fault}')
                faults += 1
    return faults


def self_test():
    def differs(want, got, shortened=False):
        return first_difference(want.splitlines(), got.splitlines(), shortened) is not None

    checks = {
        'the same': not differs('a 1.00 b', 'a 1.00   b'),
        'a number within 2 %': not differs('energy -240.8', 'energy -240.1'),
        'a number beyond': differs('energy -240.8', 'energy -230.1'),
        'the last digit': not differs('drift 0.02', 'drift 0.03'),
        'another text': differs('energy -240.8 kJ', 'energy -240.8 kcal'),
        'an error bar': not differs('T 1.0 +- 0.010', 'T 1.0 +- 0.021') and differs('T 1.0 +- 0.010', 'T 1.0 +- 0.1'),
        'lines left out': not differs('a\n...\nd', 'a\nb\nc\nd'),
        'a line that is missing': differs('a\n...\ne', 'a\nb\nc\nd'),
        'a line too many': differs('a', 'a\nb'),
        'the rest of a line': not differs('a ...', 'a b c') and differs('b ...', 'a b c'),
        'shortened': not differs('T 1.0 +- 2', 'T 7 (no error)', True) and differs('T 1.0', 'U 1.0', True),
        'names with digits': differs('water7.csv', 'water8.csv'),
        'continued commands': commands_of(blocks_of('```console\n$ a \\\n   b\n$ c\n> d\nout\n```')[0]) ==
                              [['a \\\n   b', []], ['c\nd', ['out']]],
        'comments': [(b.reason, b.arguments) for b in blocks_of(
            '<!-- not run: x -->\n```console\n```\n<!-- run with: y -->\n\n```console\n```\n```console\n```')] ==
                    [('x', None), (None, 'y'), (None, None)],
        'numbers that vary': [b.vary for b in blocks_of(
            '<!-- numbers vary: x -->\n```console\n```\n```console\n```')] == [True, False],
        'untagged commands': run_block(blocks_of('```\nrill run a.ini\n```')[0], None, None) is not None,
        'untagged text': run_block(blocks_of('```\nsome text\n```')[0], None, None) is None,
        'a broken link': broken_links(pathlib.Path(__file__), '[a](documents.py) [b](none.md#c)') == ['none.md'],
    }
    for name, good in checks.items():
        if not good:
            print(f'self-test: {name}')
    return sum(not good for good in checks.values())


def main():
    if sys.argv[1:] == ['--self-test']:
        return 1 if self_test() else 0
    return 1 if sum(check_document(pathlib.Path(name)) for name in sys.argv[1:]) else 0


if __name__ == '__main__':
    sys.exit(main())
