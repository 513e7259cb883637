import { catalogue as common } from '../operations/common-refusals.ts';
import { type Catalogue, defineRefusals, type Path, type RefusalMaker } from '../operations/refusal.ts';

/** All refusals of the registry's rules. docs/integrate/errors.md is generated from the catalogues of all modules. */
export const catalogue = {
  badCredentials: {
    code: 2202,
    kind: 'unauthenticated',
    text: 'Invalid authorization information',
    when: 'user, password, certificate or address is not accepted, or user or registrar is not active',
  },
  notAllowed: {
    code: 2201,
    kind: 'forbidden',
    text: 'Authorization error',
    when: "the user's role has no right to this call",
  },
  tooManyRequests: {
    code: 2502,
    kind: 'limited',
    text: 'Too many requests; try again in {seconds} s',
    when: "the API user's requests per minute are used up",
  },
  tooManyFailures: {
    code: 2502,
    kind: 'limited',
    text: 'Too many failed logins; try again in {seconds} s',
    when: 'too many wrong credentials came from this address, or for this username from addresses at which it is not known',
  },
  tooManySessions: {
    code: 2502,
    kind: 'limited',
    text: 'The registrar has {most} sessions, as many as it may have',
    when: 'the registrar has as many EPP sessions as it may have, over all servers',
  },
  objectMissing: {
    code: 2303,
    kind: 'missing',
    text: 'Object does not exist',
    when: 'the addressed object does not exist, or is a contact or message of another registrar',
  },
  objectGone: {
    code: 2303,
    kind: 'gone',
    text: 'Object was removed',
    when: 'the addressed object was sponsored by this registrar and was removed',
  },
  positionGone: {
    code: 2303,
    kind: 'gone',
    text: 'Events are kept for {days} days, and those after this position are older; begin without a position',
    when: 'the position in the feed of events is older than what is kept',
  },
  positionUnknown: {
    code: 2005,
    kind: 'syntax',
    text: 'after must be a position that the feed of events told',
    when: 'the position in the feed of events is not one of this registry',
  },
  webhooksOff: {
    code: 2101,
    kind: 'rule',
    text: 'The registry does not send webhooks',
    when: 'the operator has not set webhooks up',
  },
  tooManyWebhooks: {
    code: 2308,
    kind: 'rule',
    text: 'A registrar has at most {most} webhook endpoints',
    when: 'the registrar has as many webhook endpoints as it may have',
  },
  webhookDisabled: {
    code: 2304,
    kind: 'rule',
    text: 'The webhook endpoint is disabled',
    when: 'something is to be sent to an endpoint that is disabled; enable it first',
  },
  requestMissing: {
    code: 2304,
    kind: 'rule',
    text: 'The registrant is not asked about anything',
    when: 'a request to the registrant is to be sent again or withdrawn, and none waits: it was answered, withdrawn or has lapsed',
  },
  requestSentRecently: {
    code: 2502,
    kind: 'limited',
    text: 'The registrant was asked a moment ago; try again in {seconds} s',
    when: 'the mail to the registrant was sent within the last ten minutes',
  },
  requestSentOften: {
    code: 2308,
    kind: 'rule',
    text: 'The registrant was asked {most} times again, as often as possible',
    when: 'the mail to the registrant was sent again as often as possible; the request can be withdrawn and made again',
  },
  tooManyBulkJobs: {
    code: 2308,
    kind: 'rule',
    text: 'A registrar has at most {jobs} bulk jobs under way, and {rows} domains in those of a day',
    when: 'the registrar has as many bulk jobs under way as it may have, or began too many within a day',
  },
  statusProhibits: {
    code: 2304,
    kind: 'rule',
    text: 'Object status prohibits operation: {status}',
    when: 'statuses of the object forbid the operation; the text names them',
  },
  notSponsor: {
    code: 2201,
    kind: 'forbidden',
    text: 'Authorization error',
    when: 'the domain belongs to another registrar',
  },
  bodyObjectMissing: {
    code: 2303,
    kind: 'rule',
    text: 'Object does not exist: {object}',
    when: 'an object named in the body or the query does not exist, or is a contact of another registrar',
  },
  nameInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{field} is not a valid name: {reason}',
    when: 'a name to be registered is not possible in any zone; the text says why',
  },
  nameTaken: { code: 2302, kind: 'rule', text: 'Domain name already exists', when: 'the name is registered' },
  nameYours: {
    code: 2302,
    kind: 'rule',
    text: 'Domain name already exists',
    when: 'the name is registered, and the registrar that asks is its sponsor',
  },
  nameBlocked: {
    code: 2308,
    kind: 'rule',
    text: 'Domain name is blocked',
    when: 'the registry does not give the name to anybody, or it is a zone',
  },
  reservationCodeMissing: {
    code: 2003,
    kind: 'rule',
    text: '{member} is required: the name is {reason}',
    when: 'the name is reserved or disputed and no code came with the request',
  },
  wrongCode: {
    code: 2202,
    kind: 'rule',
    text: 'Invalid authorization information: wrong {member}',
    when: 'a transfer code, Auth-Code or reserved_pw is wrong',
  },
  codeMissing: {
    code: 2202,
    kind: 'rule',
    text: 'Invalid authorization information: {field} is missing',
    when: 'a request about a domain of another registrar came without its code',
  },
  alreadySponsor: {
    code: 2002,
    kind: 'rule',
    text: 'Domain already belongs to the querying registrar',
    when: 'a registrar requests the transfer of a domain that it already sponsors',
  },
  notTransferable: {
    code: 2106,
    kind: 'rule',
    text: 'Object is not eligible for transfer',
    when: 'the domain is about to be deleted',
  },
  transferMissing: {
    code: 2303,
    kind: 'missing',
    text: 'The domain has never been transferred',
    when: 'the last transfer of a domain is asked for, and there is none',
  },
  sameContact: {
    code: 2304,
    kind: 'rule',
    text: 'The new contact is the current one',
    when: 'a contact is to be replaced by itself',
  },
  otherIdent: {
    code: 2304,
    kind: 'rule',
    text: 'The new contact has another identification than the current one',
    when: 'an admin contact is to be replaced by a contact of somebody else',
  },
  samePassword: {
    code: 2306,
    kind: 'rule',
    text: 'The new password is the present one',
    when: 'a password is to be replaced by itself, or by the one that it has just replaced and that is still valid',
  },
  sameNameserver: {
    code: 2306,
    kind: 'rule',
    text: 'The new hostname is the current one',
    when: 'a nameserver is to be replaced by itself',
  },
  tooManyWrongCodes: {
    code: 2502,
    kind: 'limited',
    text: 'Too many wrong codes for this name; try again in {seconds} s',
    when: 'this registrar sent more than 10 wrong codes for one name within an hour',
  },
  noPrice: {
    code: 2104,
    kind: 'rule',
    text: 'There is no price for this operation and period',
    when: 'the price list has no such period',
  },
  otherPrice: {
    code: 2004,
    kind: 'rule',
    text: 'The price is {price}',
    when: 'the price that the client agrees to is not the one that would be charged',
    carries: ['price'],
  },
  noFunds: {
    code: 2104,
    kind: 'rule',
    text: 'The balance does not cover the price',
    when: 'the balance does not cover the price, or there is a debt',
    carries: ['price', 'balance', 'missing'],
  },
  contactTwice: {
    code: 2306,
    kind: 'rule',
    text: 'A contact is named twice in one role: {contact}',
    when: 'a contact would be in one role twice',
  },
  contactNotLinked: {
    code: 2303,
    kind: 'rule',
    text: 'The domain has no such {role} contact: {contact}',
    when: 'a contact to be removed is not linked in that role',
  },
  adminNotPerson: {
    code: 2306,
    kind: 'rule',
    text: 'An admin contact must be a person: {contact}',
    when: 'an organisation is named as admin contact',
  },
  adminTooYoung: {
    code: 2304,
    kind: 'rule',
    text: 'An admin contact must be of age: {contact}',
    when: 'an admin contact is younger than 18',
  },
  adminRequired: {
    code: 2306,
    kind: 'rule',
    text: 'An admin contact is required',
    when: 'the policy requires one and there is none',
  },
  nameserverCount: {
    code: 2308,
    kind: 'rule',
    text: 'A domain has no nameservers, or {least} to {most}',
    when: 'the number of nameservers would be outside its bounds',
  },
  nameserverTaken: {
    code: 2302,
    kind: 'rule',
    text: 'The domain has this nameserver already',
    when: 'a domain would have a hostname twice',
  },
  nameserverNotLinked: {
    code: 2303,
    kind: 'rule',
    text: 'The domain has no such nameserver: {object}',
    when: 'a nameserver to be replaced on every listed domain is not there',
  },
  glueMissing: {
    code: 2003,
    kind: 'rule',
    text: 'A nameserver below the domain itself needs an address',
    when: 'a host below the domain has neither an IPv4 nor an IPv6 address',
  },
  dnsKeyTaken: {
    code: 2302,
    kind: 'rule',
    text: 'The domain has this key already',
    when: 'a domain would have a public key twice',
  },
  dnsKeyMissing: {
    code: 2303,
    kind: 'rule',
    text: 'The domain has no such key',
    when: 'a key to be removed is not there',
  },
  tooMany: {
    code: 2004,
    kind: 'rule',
    text: 'A domain has at most {most} {what}',
    when: 'there would be too many keys or contacts',
  },
  statusUnsupported: {
    code: 2306,
    kind: 'rule',
    text: 'A registrar sets and removes {statuses} only',
    when: 'another status is named',
  },
  legalDocumentSize: {
    code: 2308,
    kind: 'rule',
    text: 'A legal document has {least} to {most} characters in Base64',
    when: 'a legal document is smaller or larger than the policy allows',
  },
  statusPresent: {
    code: 2306,
    kind: 'rule',
    text: 'The domain has this status already',
    when: 'a status to be added is there already; setting it by a PUT is no failure',
  },
  statusAbsent: {
    code: 2306,
    kind: 'rule',
    text: 'The domain does not have this status',
    when: 'a status to be removed is not there',
  },
  expiryMismatch: {
    code: 2306,
    kind: 'rule',
    text: '{member} is not the present expiry date',
    when: 'the given expiry date differs from the present one',
  },
  expiryTooFar: {
    code: 2105,
    kind: 'rule',
    text: 'The expiry would not lie before {limit}',
    when: 'a renewal would reach beyond eleven years from now',
  },
  expiryPast: {
    code: 2105,
    kind: 'rule',
    text: 'The domain would still be expired: a period that ends on {day} is too short',
    when: 'the expiry after a late renewal would not lie in the future',
  },
  renewalTooEarly: {
    code: 2105,
    kind: 'rule',
    text: 'Renewal opens {days} days before expiry',
    when: 'the policy has a renewal window and it is not open yet',
  },
  domainTwice: {
    code: 2005,
    kind: 'rule',
    text: 'A domain is named twice: {name}',
    when: 'a bulk call names a domain twice',
  },
  contactCodeTaken: {
    code: 2302,
    kind: 'rule',
    text: 'Contact code already exists',
    when: 'a contact with this code exists, in whatever case it is written',
  },
  contactAmbiguous: {
    code: 2306,
    kind: 'rule',
    text: '{contact} may mean {what}',
    when: 'a registrar with the compatibility profile names a contact without its prefix, and has one with the prefix and one without it',
  },
  contactLinked: {
    code: 2305,
    kind: 'rule',
    text: 'Object association prohibits operation: the contact is used by {domains}',
    when: 'the contact is registrant, admin or tech contact of a domain, or is to become its registrant',
  },
  contactStatusUnsupported: {
    code: 2306,
    kind: 'rule',
    text: 'A registrar neither sets nor removes this status of a contact: {status}',
    when: 'a status is named that the policy does not leave to registrars',
  },
  contactStatusPresent: {
    code: 2306,
    kind: 'rule',
    text: 'The contact has this status already: {status}',
    when: 'a status to be added to a contact is there',
  },
  contactStatusAbsent: {
    code: 2306,
    kind: 'rule',
    text: 'The contact does not have this status: {status}',
    when: 'a status to be removed from a contact is not there',
  },
  identUnchangeable: {
    code: 2308,
    kind: 'rule',
    text: 'The identification of a contact cannot be changed; create a new contact',
    when: 'an update carries an identification other than the stored one',
  },
} as const satisfies Catalogue;

const all = { ...common, ...catalogue };

/** The refusals of a part of the registry, whose commands have these places. */
export const registryRefusals = <At extends Path>(): RefusalMaker<typeof all, At> =>
  defineRefusals<typeof all, At>(all);

const maker = registryRefusals<never>();
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
