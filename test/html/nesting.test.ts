// Which element ends which (HTML section 13.2.6.4.7).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sanitise } from '../../src/html/sanitise.ts';
import { allowedElement, OpenElements } from '../../src/html/tokenizer.ts';

const local = (html: string): string => sanitise(html, { remote: false }).html;

describe('a table', () => {
  it('gives a cell to what would fall out of its table', () => {
    assert.equal(
      local('<table>a<tr>b<td>c</table>'),
      '<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>',
    );
    assert.equal(
      local('<table><p>a<p>b<tr><td>c</table>'),
      '<table><tr><td><p>a</p><p>b</p></td></tr><tr><td>c</td></tr></table>',
    );
    assert.equal(local('<table><colgroup>a</table>'), '<table><colgroup></colgroup><tr><td>a</td></tr></table>');
    assert.equal(local('<table><font color=red><tr><td>c</font></table>'), '<table><tr><td>c</td></tr></table>');
    assert.equal(local('<table> <tr>\n<td>c</table>'), '<table> <tr>\n<td>c</td></tr></table>');
    assert.equal(local('<table><tr><table><td>c</table>'), '<table><tr></tr></table><table><td>c</td></table>');
    assert.equal(local('<table></br><tr><td>c</table>'), '<table><tr><td><br></td></tr><tr><td>c</td></tr></table>');
  });
});

describe('open elements', () => {
  /** The elements that stay open, the innermost last. */
  function openAfter(...names: string[]): OpenElements {
    const open = new OpenElements();
    for (const name of names) open.push(allowedElement(name)!);
    return open;
  }
  const before = (name: string, ...open: string[]) => openAfter(...open).countBefore(allowedElement(name)!);
  const after = (name: string, ...open: string[]) => openAfter(...open).countAfter(allowedElement(name)!);

  it('end where the start of another one ends them, and no further', () => {
    assert.equal(before('li', 'ul', 'li', 'b'), 1);
    assert.equal(before('li', 'ul', 'li', 'ul'), 3, 'a list of its own');
    assert.equal(before('p', 'p', 'b'), 0);
    assert.equal(before('p', 'p', 'table', 'tr', 'td'), 4, 'not out of a cell');
    assert.equal(before('span', 'p'), 1);
    assert.equal(before('h2', 'h1'), 0, 'a heading directly in a heading');
    assert.equal(before('h2', 'h1', 'b'), 2);
    assert.equal(before('a', 'a', 'b'), 0);
    assert.equal(before('dd', 'dl', 'dt'), 1);
  });

  it('have rows and cells in tables only', () => {
    assert.equal(before('td'), -1);
    assert.equal(before('td', 'table', 'tr', 'td', 'b'), 2);
    assert.equal(before('tr', 'table', 'tbody', 'tr', 'td'), 2);
    assert.equal(before('td', 'table', 'tr', 'td', 'table'), 4);
    assert.equal(before('table', 'table', 'tr'), 0, 'a table directly in a table ends it');
    assert.equal(before('table', 'table', 'tr', 'td'), 3);
  });

  it('end with their end tags, which do not reach out of cells and tables', () => {
    assert.equal(after('b', 'b', 'i'), 0);
    assert.equal(after('b', 'i'), 1, 'nothing to end');
    assert.equal(after('div', 'div', 'table', 'tr', 'td'), 4);
    assert.equal(after('table', 'div', 'table', 'tr', 'td', 'p'), 1);
    assert.equal(after('tr', 'table', 'tr', 'td', 'table'), 4);
  });

  it('know where the innermost of a name is, also when inner ones are gone', () => {
    const open = openAfter('b', 'i', 'b');
    assert.deepEqual([open.count, open.last?.name], [3, 'b']);
    assert.equal(open.pop().name, 'b');
    assert.equal(open.countAfter(allowedElement('b')!), 0);
  });

  it('need a cell for text and elements that stand between cells', () => {
    const needs = (...names: string[]) => openAfter(...names).needsCell();
    assert.deepEqual(
      [needs(), needs('table'), needs('table', 'tr'), needs('table', 'tr', 'td')],
      [false, true, true, false],
    );
    const row = openAfter('table', 'tr');
    assert.deepEqual(
      ['p', 'td', 'table'].map((name) => row.needsCell(allowedElement(name))),
      [true, false, false],
    );
  });
});

describe('an element', () => {
  it('is allowed by its name, in lower case, and by nothing that objects have by themselves', () => {
    assert.equal(allowedElement('p')?.endTag, '</p>');
    assert.equal(allowedElement('br')?.endTag, '', 'is void');
    for (const name of ['script', 'P', 'form', 'constructor', '__proto__', '']) {
      assert.equal(allowedElement(name), undefined, name);
    }
  });
});
