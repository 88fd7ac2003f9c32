// The components and properties of an object that a report asks for (RFC 4791 sections 9.6.1 to 9.6.4,
// RFC 6352 section 10.4).

import { isNamed } from './card-filter.ts';
import { makeLine } from './components.ts';
import type { Component, ContentLine } from './content-lines.ts';

export interface PropSelection {
  name: string;
  /** only that it is there */
  isWithoutValue: boolean;
}

export interface CompSelection {
  name: string;
  /** undefined: all (`allprop`) */
  props: readonly PropSelection[] | undefined;
  /** undefined: all (`allcomp`) */
  comps: readonly CompSelection[] | undefined;
}

/** A selection that names neither properties nor components means all of both, as in RFC 4791 section 7.8.1. */
export function selectComponent(component: Component, selection: CompSelection): Component {
  return selector(selection)(component);
}

/** Read once: an object may have thousands of components of one name. */
function selector({ props, comps }: CompSelection): (component: Component) => Component {
  if (props?.length === 0 && comps?.length === 0) return (component) => component;
  const pick = props && linePicker(props);
  const selectors = comps && new Map(comps.map((one) => [one.name.toUpperCase(), selector(one)]));
  return ({ name, lines, components }) => ({
    name,
    lines: pick ? lines.flatMap(pick) : lines,
    components: selectors
      ? components.flatMap((one) => {
          const select = selectors.get(one.name);
          return select ? [select(one)] : [];
        })
      : components,
  });
}

/** A contact with these properties only; none named: all. */
export function selectCard(card: Component, props: readonly PropSelection[]): Component {
  return props.length === 0 ? card : { ...card, lines: card.lines.flatMap(linePicker(props)) };
}

/** The line, its name alone, or nothing. */
function linePicker(props: readonly PropSelection[]): (line: ContentLine) => ContentLine[] {
  const byName = new Map<string, PropSelection[]>();
  for (const one of props) {
    const name = one.name.toUpperCase().split('.').at(-1)!;
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return (line) => {
    const wanted = byName.get(line.name)?.find(({ name }) => isNamed(line, name));
    if (!wanted) return [];
    return wanted.isWithoutValue
      ? [makeLine(line.group === '' ? line.name : `${line.group}.${line.name}`, '')]
      : [line];
  };
}
