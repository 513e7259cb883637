import type { BulkJob } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import type { RequestOutcome } from '../../../registry/requests/request-store.ts';
import type { Language } from '../../html/layout.ts';

type JobTexts = {
  readonly title: string;
  readonly none: string;
  readonly begin: string;
  readonly columns: Readonly<Record<'what' | 'state' | 'progress' | 'who' | 'begun', string>>;
  readonly states: Readonly<Record<BulkJob['state'] | 'finishedWithFailures', string>>;
  readonly progress: (done: string, total: string) => string;
  readonly goesOn: string;
  readonly show: string;
  readonly facts: Readonly<
    Record<
      | 'changed'
      | 'unchanged'
      | 'refused'
      | 'open'
      | 'charged'
      | 'who'
      | 'begun'
      | 'finished'
      | 'asked'
      | 'undone',
      string
    >
  >;
  readonly actions: Readonly<Record<'label' | 'stop' | 'resume' | 'file', string>> & {
    readonly again: (count: string) => string;
    readonly back: (count: string) => string;
  };
  readonly refused: (count: string) => string;
  readonly others: (count: string) => string;
  readonly rows: Readonly<Record<'domain' | 'result' | 'reason', string>>;
  readonly outcomes: Readonly<Record<'changed' | 'unchanged' | 'refused' | 'open', string>>;
  /** Of a row that asked the registrant. */
  readonly requests: Readonly<Record<'open' | RequestOutcome, string>>;
  readonly showUndone: string;
  readonly further: string;
  readonly pages: string;
  readonly toStart: string;
  readonly next: string;
  readonly toJobs: string;
};

const english: JobTexts = {
  title: 'Jobs',
  none: 'No bulk changes in the last 90 days.',
  begin: 'New bulk change',
  columns: { what: 'Change', state: 'State', progress: 'Domains', who: 'Started by', begun: 'Started' },
  states: {
    waiting: 'Waiting',
    running: 'In progress',
    stopped: 'Stopped',
    finished: 'Done',
    finishedWithFailures: 'Done, with failures',
  },
  progress: (done, total) => `${done} of ${total}`,
  goesOn: 'The job goes on even if you close this page.',
  show: 'Show the present state',
  facts: {
    changed: 'Changed',
    unchanged: 'Nothing to change',
    refused: 'Failed',
    open: 'Still to do',
    charged: 'Charged',
    who: 'Started by',
    begun: 'Started',
    finished: 'Finished',
    asked: 'Changed or asked',
    undone: 'Undoes',
  },
  actions: {
    label: 'Actions',
    stop: 'Stop',
    resume: 'Continue',
    file: 'Export CSV',
    again: (count) => `Retry ${count}`,
    back: (count) => `Undo ${count}`,
  },
  refused: (count) => `${count} failed`,
  others: (count) => `${count} others`,
  rows: { domain: 'Domain', result: 'Result', reason: 'Why' },
  outcomes: { changed: 'Changed', unchanged: 'Nothing to change', refused: 'Failed', open: 'Waiting' },
  requests: {
    open: 'Waits for the registrant',
    confirmed: 'Confirmed by the registrant',
    rejected: 'Rejected by the registrant',
    lapsed: 'Not answered in time',
    failed: 'Confirmed, but no longer possible',
    withdrawn: 'Withdrawn',
  },
  showUndone: 'The earlier job',
  further: 'The CSV file has all of them.',
  pages: 'Pages of the result',
  toStart: 'Back to the start',
  next: 'Next page',
  toJobs: 'All jobs',
};

const estonian: JobTexts = {
  title: 'Tööd',
  none: 'Viimase 90 päeva jooksul ei ole hulgitoiminguid tehtud.',
  begin: 'Uus hulgitoiming',
  columns: { what: 'Muudatus', state: 'Seis', progress: 'Domeene', who: 'Alustas', begun: 'Algus' },
  states: {
    waiting: 'Ootab',
    running: 'Pooleli',
    stopped: 'Peatatud',
    finished: 'Valmis',
    finishedWithFailures: 'Valmis, kuid osa ebaõnnestus',
  },
  progress: (done, total) => `${done} / ${total}`,
  goesOn: 'Töö jätkub ka siis, kui selle lehe sulged.',
  show: 'Näita praegust seisu',
  facts: {
    changed: 'Muudetud',
    unchanged: 'Midagi polnud muuta',
    refused: 'Ebaõnnestus',
    open: 'Veel teha',
    charged: 'Tasutud',
    who: 'Alustas',
    begun: 'Algus',
    finished: 'Lõpp',
    asked: 'Muudetud või küsitud',
    undone: 'Võtab tagasi',
  },
  actions: {
    label: 'Tegevused',
    stop: 'Peata',
    resume: 'Jätka',
    file: 'Ekspordi CSV',
    again: (count) => `Proovi uuesti: ${count}`,
    back: (count) => `Võta tagasi: ${count}`,
  },
  refused: (count) => `Ebaõnnestus ${count}`,
  others: (count) => `Ülejäänud: ${count}`,
  rows: { domain: 'Domeen', result: 'Tulemus', reason: 'Miks' },
  outcomes: { changed: 'Muudetud', unchanged: 'Midagi polnud muuta', refused: 'Ebaõnnestus', open: 'Ootab' },
  requests: {
    open: 'Ootab registreerijat',
    confirmed: 'Registreerija kinnitas',
    rejected: 'Registreerija lükkas tagasi',
    lapsed: 'Õigel ajal ei vastatud',
    failed: 'Kinnitati, kuid enam ei saanud teha',
    withdrawn: 'Tagasi võetud',
  },
  showUndone: 'Varasem töö',
  further: 'CSV-failis on kõik.',
  pages: 'Tulemuse leheküljed',
  toStart: 'Tagasi algusesse',
  next: 'Järgmine lehekülg',
  toJobs: 'Kõik tööd',
};

const TEXTS: Readonly<Record<Language, JobTexts>> = { en: english, et: estonian };
export const jobTexts = (lang: Language): JobTexts => TEXTS[lang];
