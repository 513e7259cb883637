import { requireNoGuessing, sameCode, WrongCode, type WrongCodes } from '../access/wrong-transfer-codes.ts';
import { type ContactInfo, codesOf, type Domain, linkOf } from '../domains/domain.ts';
import { refusal, refuse } from '../domains/rules/domain-refusals.ts';
import type { DomainChange } from '../domains/persist-domains.ts';
import { requireNotProhibited } from '../domains/rules/domain-statuses.ts';
import type { Context } from '../operation.ts';
import type { NewDetails } from '../poll/message-details.ts';
import { message } from '../poll/send-messages.ts';

export type TransferRequest = { readonly name: string; readonly transferCode: string };
export type TransferCandidate = {
  readonly domain: Domain;
  readonly sponsorName: string;
  readonly sponsorCode: string;
  readonly wrongCodes: WrongCodes;
};

/** Ordered by what the caller may learn: nothing about the domain before the code is right. */
export function checkTransfer(
  { domain, wrongCodes }: TransferCandidate,
  { transferCode }: TransferRequest,
  context: Context,
): void {
  const isSponsor = domain.registrarId === context.principal.registrarId;
  if (!isSponsor) requireNoGuessing(wrongCodes, context.policy);
  if (!sameCode(transferCode, domain.transferCode))
    throw new WrongCode(domain.name, domain, [refusal('wrongCode', { at: ['transferCode'] })]);
  if (isSponsor) refuse('alreadySponsor');
  if ('deleteCandidate' in domain.statuses) refuse('notTransferable');
  requireNotProhibited('transfer', domain.statuses);
}

/** Makes the caller sponsor of the domain and replaces its contacts by the caller's own; the reference was the other's; all else stays. */
export function transferredDomain(
  { domain, sponsorName, sponsorCode }: TransferCandidate,
  contacts: ReadonlyMap<number, ContactInfo>,
  transferCode: string,
  { principal }: Context,
): DomainChange {
  const { registrarId } = principal;
  const counterpart = (id: number): ContactInfo => {
    const contact = contacts.get(id);
    if (!contact) throw new Error(`contact ${id} of ${domain.name} was not taken over`);
    return contact;
  };
  const links = domain.contacts.map(({ id, role }) => linkOf(counterpart(id), role));
  const after: Domain = {
    ...domain,
    registrarId,
    transferCode,
    reference: null,
    registrant: counterpart(domain.registrant.id),
    // Identical contacts were mapped to one, which is linked once per role.
    contacts: links.filter(
      (link, position) =>
        position === links.findIndex(({ id, role }) => id === link.id && role === link.role),
    ),
  };
  const details: NewDetails = {
    kind: 'transfer',
    name: domain.name,
    losing: sponsorCode,
    gaining: principal.registrarCode,
    expireTime: domain.expireTime.toISOString(),
  };
  const codes = [...new Set([...codesOf(domain.contacts, 'admin'), ...codesOf(domain.contacts, 'tech')])];
  return {
    operation: 'transfer',
    before: domain,
    after,
    messages: [
      {
        ...message('transferred_away', {
          ...domain,
          registrar: principal.registrarName,
          registrant: domain.registrant.code,
          contacts: codes.join(', ') || 'none',
        }),
        details,
        direction: 'out',
      },
      {
        ...message('transferred_in', { ...domain, registrarId, registrar: sponsorName }),
        details,
        direction: 'in',
      },
    ],
  };
}
