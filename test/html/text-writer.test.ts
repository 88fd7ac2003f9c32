// Lines of text with the marks of what they stand in.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OutputBound } from '../../src/html/output-bound.ts';
import { BULLETS, htmlToText, ITEM, PRE, QUOTE, TextWriter } from '../../src/html/to-text.ts';
import { MAX_QUOTE_DEPTH } from '../../src/limits/mime.ts';

const lines = (...list: string[]): string => list.map((line) => `${line}\n`).join('');

describe('HTML as lines', () => {
  it('wraps at the width, marks included, but not preformatted text', () => {
    const text = 'aaa bbb ccc ddd eee fff ggg hhh iii';
    const html = `<p>${text}<blockquote>${text}</blockquote><pre>${text}</pre>${'x'.repeat(40)}`;
    assert.equal(
      htmlToText(html, 24),
      lines(
        'aaa bbb ccc ddd eee fff',
        'ggg hhh iii',
        '',
        '> aaa bbb ccc ddd eee',
        '> fff ggg hhh iii',
        '',
        text,
        '',
        'x'.repeat(40),
      ),
    );
  });

  it('marks quotes up to the bound and no deeper', () => {
    const nested = (depth: number): string => `${'<blockquote>'.repeat(depth)}x${'</blockquote>'.repeat(depth)}y`;
    const expected = lines(`${'> '.repeat(MAX_QUOTE_DEPTH)}x`, '', 'y');
    assert.equal(htmlToText(nested(MAX_QUOTE_DEPTH)), expected);
    assert.equal(htmlToText(nested(MAX_QUOTE_DEPTH + 1)), expected);
  });
});

describe('a writer of lines', () => {
  const written = (write: (writer: TextWriter) => void, width = 40, bound = new OutputBound()): string => {
    const writer = new TextWriter(width, bound);
    write(writer);
    return writer.end();
  };

  it('writes nothing for nothing, and no empty line at either end', () => {
    assert.equal(
      written(() => {}),
      '',
    );
    const padded = written((writer) => {
      writer.blankLine();
      writer.breakLine();
      writer.text('a');
      writer.blankLine();
      writer.blankLine();
      writer.text('b');
      writer.breakLine();
      writer.breakLine();
    });
    assert.equal(padded, lines('a', '', 'b'));
  });

  it('begins the first line of an item with its mark and the others with blanks', () => {
    const list = written((writer) => {
      writer.open(BULLETS);
      writer.open(ITEM, '   ', ' * ');
      writer.blankLine();
      writer.text('a');
      writer.breakLine();
      writer.text('b');
      writer.endLine();
      writer.close(BULLETS);
      writer.blankLine();
      writer.text('c');
    });
    assert.equal(list, lines(' * a', '   b', '', 'c'));
  });

  it('keeps blanks and lines in a pre, and nowhere else', () => {
    const text = ' a  b\n c ';
    const pre = written((writer) => {
      writer.open(PRE);
      writer.text(text);
      writer.close(PRE);
    });
    assert.equal(pre, lines(' a  b', ' c'));
    assert.equal(
      written((writer) => writer.text(text)),
      lines('a b c'),
    );
  });

  it('finds the innermost container of a kind, not behind a fence', () => {
    written((writer) => {
      writer.open(BULLETS);
      writer.open(ITEM);
      writer.open(QUOTE, '> ');
      assert.equal(writer.find(BULLETS)?.kind, BULLETS);
      assert.equal(writer.find(BULLETS, QUOTE), undefined);
      assert.equal(writer.find(QUOTE, QUOTE)?.kind, QUOTE);
      writer.close(ITEM);
      assert.equal(writer.find(QUOTE), undefined, 'what is inside ends with it');
      writer.close(ITEM);
      assert.equal(writer.find(BULLETS)?.kind, BULLETS, 'nothing to end');
    });
  });

  it('puts two blanks between cells, none before the first', () => {
    const row = written((writer) => {
      writer.columnGap();
      writer.text('a ');
      writer.columnGap();
      writer.text('b');
      writer.columnGap();
      writer.insert('c');
    });
    assert.equal(row, lines('a  b  c'));
  });

  it('counts line ends and marks for the bound, and stops where it is reached', () => {
    const quote = (writer: TextWriter) => {
      writer.open(QUOTE, '> ');
      writer.text('ab');
      writer.breakLine();
      writer.text('cd');
    };
    const whole = lines('> ab', '> cd');
    const [fits, cut] = [new OutputBound(whole.length), new OutputBound(whole.length - 1)];
    assert.equal(written(quote, 40, fits), whole);
    assert.equal(written(quote, 40, cut), lines('> ab', '> c'));
    assert.deepEqual([fits.isCut, cut.isCut], [false, true]);
  });
});
