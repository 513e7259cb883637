/** What the profile answers in place of the incumbent's status and code, and the members that it does not have. */
export type Difference = {
  readonly answer?: string;
  readonly lacking?: readonly string[];
  /** As the guide says it. */
  readonly reason: string;
};

const CREDENTIALS: Difference = {
  lacking: ['eligible_for_sign_in', 'password', 'username'],
  reason: '`data` does not repeat the user and the password',
};
const NOT_YET = { answer: '200/1000', reason: 'when renewals open is a rule of the registry' };

export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'auth: no Authorization header': CREDENTIALS,
  'auth: unknown user': CREDENTIALS,
  'auth: not base64': CREDENTIALS,
  'auth: good password, certificate of another user': {
    answer: '200/1000',
    reason: 'in the sandbox, which asks for no certificates',
  },
  'balance: detailed bad date': { answer: '400/2005', reason: 'a day that does not exist' },
  'bulk: renew domain not yet due': { answer: '200/1000', reason: 'the same in a bulk renewal' },
  'contacts: create org ident (deleted company)': {
    answer: '200/1000',
    reason: 'companies are not looked up',
  },
  'contacts: list bad limit': { answer: '400/2005', reason: 'a limit that is not a number' },
  'delete: renew a domain in pendingDelete': NOT_YET,
  'domains: create dns key bad flags': {
    answer: '400/2005',
    reason: 'flags of a key other than 256 and 257',
  },
  'domains: create unknown registrant': { answer: '400/2303', reason: 'a registrant that does not exist' },
  'renew: too early (expires in a year)': NOT_YET,
  'routing: unknown path': { answer: '404/2000', reason: 'an unknown path' },
};
