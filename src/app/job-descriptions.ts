/** What each job does, in a sentence for operators. */
const descriptions: Readonly<Record<string, string>> = {
  'domain lifecycle': 'Expires, holds, releases and deletes domains, and ends what waits for registrants',
  'archive contacts': 'Removes contacts that were not used for the months of the policy',
  'repair due times': 'Makes due what a clock that was ahead has postponed',
  'sum up object counts': 'Sums the changes in the numbers of domains and contacts, which lists add up',
  'mark events': 'Notes which events have been written, from which the feed knows what is too old',
  'tell of expiries': 'Writes the event domain.expiring, 30 days before a domain expires',
  'count daily figures': 'Counts what became of domains on past days, for the charts of the console',
  'remind of certificates': 'Tells registrars of certificates that expire soon',
  'sign revocation lists': 'Signs revocation lists that are stale or expire soon, where the key is',
  'publish zones': 'Publishes what was changed in the zones',
  'expire reservations': 'Removes reservations whose time is over',
  'cancel unfulfillable invoices': 'Cancels unpaid invoices for names of which none is left',
  'process due dates': 'Makes invoices overdue, and cancels top-ups that were not paid',
  'issue top-ups': 'Issues the invoices of automatic top-ups',
  'make monthly statements': 'Makes and mails the statements of the month before',
  'import bank statements': 'Imports the files of the folder for bank statements, where one is set',
  'export top-ups': 'Sends paid top-ups to the accounting service, once a day',
  'reconcile payments': 'Schedules a poll of every open payment',
  'poll payments': 'Polls the provider for payments',
  'poll unknown payments': 'Polls the provider for references that only a callback has named',
  'refund payments': 'Orders refunds, and polls their outcome',
  'deliver mails': 'Sends mails',
  'deliver webhooks': 'Delivers events to endpoints of registrars',
  'deliver to service:auction': 'Tells the auction of the statuses of its invoices',
  'deliver to service:eeid': 'Tells eeID of the statuses of its invoices',
  'deliver to service:business_registry': 'Tells the business register of the statuses of its invoices',
  'deliver to accounting': 'Sends invoices to the accounting service',
  'deliver to einvoice': 'Sends invoices to the operator of e-invoices',
  'delete old zone serials': 'Deletes changes of zones that are older than the days of the policy',
  'delete old webhook events': 'Deletes events of webhooks and of the feed after thirty days',
  'delete old idempotency keys':
    'Deletes keys after 48 hours; of creations the answers after 24 hours, and the keys with the object',
  'delete old logins': 'Deletes sessions and invitations after thirty days, unfinished logins after a day',
  'delete old certificate requests':
    'Deletes requests for certificates ninety days after they were decided or withdrawn',
  'delete old call counts': 'Deletes the counts of calls that the console shows, after ninety days',
  'delete old wrong codes': 'Deletes wrong codes after an hour',
  'delete old mails': 'Deletes mails thirty days after they were sent or given up',
  'delete old legal documents': 'Deletes documents of EPP requests after the years of the policy (ten)',
  'delete old look-ups':
    'Deletes queries of authorised requesters after a year and messages to registrants after thirty days (policy)',
  'delete old login addresses': 'Deletes addresses from which a user has not logged in for a month',
  'delete unmatched payment events': 'Deletes callbacks about unknown payments after thirty days',
};

/** Of a job that no version of this program runs there is none. */
export const describeJob = (name: string): string | null => descriptions[name] ?? null;
