import { consoleAddress } from '../console-page.ts';

export const invoiceAddress = (number: number): string => consoleAddress(`/invoices/${number}`);
