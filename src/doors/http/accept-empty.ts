import { isRequired } from './normalise-value.ts';
import type { Json } from './openapi-components.ts';

/** The schema of a body as it is sent: optional members may also be null, and texts among them empty. */
export function acceptEmpty(node: Json): Json {
  const properties = node.properties as Readonly<Record<string, Json>> | undefined;
  const items = node.items as Json | undefined;
  return {
    ...node,
    ...(items && { items: acceptEmpty(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [
          name,
          isRequired(node, name) ? acceptEmpty(member) : emptyOr(acceptEmpty(member)),
        ]),
      ),
    }),
  };
}

function emptyOr({ 'x-empty': meaning, 'x-emptied': _, ...member }: Json): Json {
  const { description, minLength, ...rest } = member;
  // What allows anything allows null.
  if (meaning === 'refused' || Object.keys(rest).length === 0) return member;
  const keepsLength = minLength !== undefined && (minLength !== 1 || meaning === 'text refused');
  const forms = Array.isArray(rest.anyOf)
    ? (rest.anyOf as Json[])
    : [{ ...(keepsLength && { minLength }), ...rest }];
  const others = forms.filter(({ type }) => type !== 'null');
  return { ...(description !== undefined && { description }), anyOf: [...others, { type: 'null' }] };
}
