import { consoleAddress } from '../page.ts';

export const invoiceAddress = (number: number): string => consoleAddress(`/invoices/${number}`);
