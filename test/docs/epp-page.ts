const MAX_LINE_LENGTH = 120;

type Node = { readonly start: string; readonly text: string; readonly children: Node[] };

/** A frame as the page shows it: elements that fit on a line are one line. */
export function indentedFrame(frame: string): string {
  const root: Node = { start: '', text: '', children: [] };
  const open = [root];
  const tokens = frame.replace(/^<\?xml[^>]*\?>/, '').matchAll(/<(\/?)[^>]*?(\/?)>([^<]*)/g);
  for (const [token, isEnd, isEmpty, text = ''] of tokens) {
    if (isEnd) open.pop();
    const node = { start: token.slice(0, token.length - text.length), text: text.trim(), children: [] };
    if (!isEnd) open.at(-1)?.children.push(node);
    if (!isEnd && !isEmpty) open.push(node);
  }
  return root.children.flatMap((node) => linesOf(node, '')).join('\n');
}

function linesOf(node: Node, indentation: string): string[] {
  const line = indentation + onOneLine(node);
  if (node.children.length === 0 || line.length <= MAX_LINE_LENGTH) return [line];
  const children = node.children.flatMap((child) => linesOf(child, `${indentation}  `));
  return [indentation + node.start, ...children, `${indentation}${endOf(node)}`];
}

const onOneLine = (node: Node): string =>
  node.start.endsWith('/>')
    ? node.start
    : node.start + node.text + node.children.map(onOneLine).join('') + endOf(node);

const endOf = ({ start }: Node): string => `</${/^<([^\s>]+)/.exec(start)?.[1]}>`;

/** Without values that differ between runs: server ids, seconds, generated codes, and the wall clock. */
export const comparableFrame = (text: string): string =>
  text
    .replace(/>\s+</g, '><')
    .replace(/<svDate>[^<]*</, '<svDate>(now)<')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '(id)')
    // Domains expire at midnight of the registry's zone, which is compared.
    .replace(/(T(?!00:00:00\+|2[12]:00:00\.000Z)\d\d:\d\d:)\d\d(?:\.\d{3})?/g, '$1(seconds)')
    .replace(/(<(?:domain|contact):pw>)[0-9a-f]{22,32}</g, '$1(random)<');
