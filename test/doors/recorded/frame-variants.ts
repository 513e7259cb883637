type Element = {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly content: readonly (Element | string)[];
};

/** Frames like this one with one element missing, empty, twice, too long or unknown, or one attribute missing or wrong. */
export function frameVariants(frame: string, { few = false } = {}): string[] {
  const [root] = elementsOf(frame);
  if (root === undefined) return [];
  return [...new Set(changed(root, few).map((list) => list.map(written).join('')))];
}

/** What can stand in the place of an element, in which one thing differs. */
function changed(element: Element, few: boolean): (Element | string)[][] {
  const { attributes, content } = element;
  const isLeaf = content.every((each) => typeof each === 'string');
  const own: (Element | string)[][] = [
    [],
    ...(few ? [] : [[element, element]]),
    ...(isLeaf && content.length > 0 ? [[{ ...element, content: [] }]] : []),
    ...(isLeaf && !few && content.length > 0 ? [[{ ...element, content: ['x'.repeat(300)] }]] : []),
    ...(isLeaf ? [] : [[{ ...element, content: [...content, '<surprise/>'] }]]),
    ...attributes
      .filter(([name]) => !name.startsWith('xmlns'))
      .flatMap(([name]) => {
        const others = attributes.filter(([other]) => other !== name);
        const wrong = [...others, [name, 'wrong'] as const];
        return [[{ ...element, attributes: others }], [{ ...element, attributes: wrong }]];
      }),
  ];
  const inner = content.flatMap((child, index) =>
    typeof child === 'string'
      ? []
      : changed(child, few).map((list) => [
          { ...element, content: [...content.slice(0, index), ...list, ...content.slice(index + 1)] },
        ]),
  );
  return [...own, ...inner];
}

/** Frames of tests have neither comments nor declarations, and quote attributes with `"`. */
function elementsOf(text: string): Element[] {
  type Open = { name: string; attributes: [string, string][]; content: (Element | string)[] };
  const root: Open = { name: '', attributes: [], content: [] };
  const open = [root];
  for (const [token] of text.matchAll(/<[^>]*>|[^<]+/g)) {
    const top = open.at(-1) ?? root;
    if (!token.startsWith('<')) {
      if (token.trim() !== '') top.content.push(token);
    } else if (token.startsWith('</')) open.pop();
    else {
      const [, name = '', rest = ''] = /^<([\w:]+)([^>]*)>$/.exec(token) ?? [];
      const attributes = [...rest.matchAll(/([\w:]+)="([^"]*)"/g)].map(
        ([, key = '', value = '']): [string, string] => [key, value],
      );
      const element: Open = { name, attributes, content: [] };
      top.content.push(element);
      if (!token.endsWith('/>')) open.push(element);
    }
  }
  return root.content.filter((each) => typeof each !== 'string');
}

function written(element: Element | string): string {
  if (typeof element === 'string') return element;
  const { name, attributes, content } = element;
  const start = `${name}${attributes.map(([key, value]) => ` ${key}="${value}"`).join('')}`;
  return content.length === 0 ? `<${start}/>` : `<${start}>${content.map(written).join('')}</${name}>`;
}
