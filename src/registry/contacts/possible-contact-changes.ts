import type { Refusal } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { checkContactDeletion } from './delete-contact.ts';
import type { OwnContact } from './search-contacts.ts';
import { checkUpdatable } from './update-contact.ts';

export type ContactAction = 'change' | 'delete';

/** What forbids each change of a contact at this moment, by the checks of the operations themselves. */
export function checkContactActions(
  { code, statuses: names, domains, requests }: OwnContact,
  policy: Policy,
): Readonly<Record<ContactAction, readonly Refusal[]>> {
  const statuses = Object.fromEntries(names.map((name) => [name, null]));
  const linked = domains.length > 0 || requests.some(({ isFollower }) => isFollower);
  return {
    // Any field will do: only a change without fields is treated differently.
    change: checkUpdatable({ statuses }, { code, fields: { disclosedAttributes: [] } }, policy),
    delete: checkContactDeletion({ statuses, linked }),
  };
}
