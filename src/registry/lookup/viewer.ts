import type { Audience } from '../../policy/policy.ts';

/** Who looks something up, as the interface has authenticated it. */
export type Viewer =
  | { readonly kind: 'public' }
  | { readonly kind: 'registrar'; readonly registrarId: number }
  | { readonly kind: 'requester'; readonly requesterId: number };

export const PUBLIC: Viewer = { kind: 'public' };

/** The part of the policy that decides what the viewer sees of a domain. */
export const audienceOf = (viewer: Viewer, { registrarId }: { readonly registrarId: number }): Audience =>
  viewer.kind === 'registrar' && viewer.registrarId === registrarId ? 'sponsor' : viewer.kind;
