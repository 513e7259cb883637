import type { Operation, Plan } from '../../registry/operation.ts';
import { refuse } from './form-refusals.ts';

type Versioned = { readonly version: number } | undefined;
type Endpoint = { readonly updatedAt: Date } | undefined;
type Found =
  | { readonly domain: Versioned }
  | { readonly contact: Versioned }
  | { readonly endpoint: Endpoint };

/**
 * The same operation, refused unless its object is the version that the form has shown. It is checked where the operation
 * decides, and not before: what it decided on is what it writes, and a repeated request is answered as the first one was.
 */
export const onlyVersion = <Input, Loaded extends Found, P extends Plan>(
  operation: Operation<Input, Loaded, P>,
  version: number,
): Operation<Input, Loaded, P> => ({
  ...operation,
  decide(loaded, input, context) {
    const found = versionOf(loaded);
    if (found !== undefined && found !== version) refuse('formStale');
    return operation.decide(loaded, input, context);
  },
});

function versionOf(loaded: Found): number | undefined {
  // An endpoint has no number: every change of it has a time of its own.
  if ('endpoint' in loaded) return loaded.endpoint?.updatedAt.getTime();
  return ('domain' in loaded ? loaded.domain : loaded.contact)?.version;
}
