import type { ContactInfo, Domain } from '../domains/domain.ts';
import type { DomainParts } from '../domains/rules/domain-parts.ts';
import type { DomainChange } from '../domains/persist-domains.ts';
import { withStatus } from '../domains/rules/domain-statuses.ts';
import {
  confirmDeletionMail,
  confirmNewRegistrantMail,
  type DomainMail,
  deadline,
  newRegistrantMail,
} from '../mails/registrant-mails.ts';
import type { Context } from '../operation.ts';
import type { RequestToken } from './request-store.ts';

const HOUR_MS = 3_600_000;

type Asked = { readonly token: RequestToken; readonly expiresAt: Date };

/** The mail with the link that confirms or rejects. */
export function confirmationMail(
  domain: Domain,
  requested:
    | { readonly kind: 'deletion' }
    | { readonly kind: 'registrant change'; readonly newRegistrant: ContactInfo },
  { token, expiresAt }: Asked,
  { principal, policy, publicUrl }: Context,
): DomainMail {
  const details = {
    domain,
    registrar: principal.registrarName,
    link: `${publicUrl}/confirm/${token}`,
    until: deadline(expiresAt, policy),
  };
  return requested.kind === 'deletion'
    ? confirmDeletionMail(details)
    : confirmNewRegistrantMail({ ...details, newRegistrant: requested.newRegistrant });
}

type RequestedChange =
  | { readonly kind: 'deletion' }
  | {
      readonly kind: 'registrant change';
      readonly newRegistrant: ContactInfo;
      readonly newTransferCode: string | undefined;
      readonly furtherChanges?: DomainParts | undefined;
    };

/** Mails the registrant for confirmation. Apart from its status the domain stays unchanged until the decision. */
export function requestConfirmation(
  domain: Domain,
  requested: RequestedChange,
  token: RequestToken,
  context: Context,
): DomainChange {
  const { principal, now, policy } = context;
  const expiresAt = new Date(now.getTime() + policy.domains.confirmationHours * HOUR_MS);
  const mail = confirmationMail(domain, requested, { token, expiresAt }, context);
  if (requested.kind === 'deletion')
    return {
      operation: 'ask for deletion',
      before: domain,
      after: { ...domain, statuses: withStatus(domain.statuses, 'pendingDeleteConfirmation') },
      request: { kind: requested.kind, token, expiresAt },
      mails: [mail],
    };
  const { newRegistrant, newTransferCode, furtherChanges } = requested;
  return {
    operation: 'ask for registrant change',
    before: domain,
    after: { ...domain, statuses: withStatus(domain.statuses, 'pendingUpdate') },
    request: {
      kind: requested.kind,
      newRegistrantId: newRegistrant.id,
      newTransferCode,
      token,
      expiresAt,
      ...(furtherChanges && { furtherChanges }),
    },
    mails: [mail, newRegistrantMail({ domain, registrar: principal.registrarName, newRegistrant })],
  };
}
