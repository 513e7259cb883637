import type { Page } from 'playwright-core';
import { PEOPLE } from '../support/console.ts';

/** Logs in as a person of the registrar ALPHA, by the form. */
export async function logIn(page: Page, url: string): Promise<void> {
  const [email, password] = PEOPLE.alpha;
  await page.goto(`${url}/console/login?lang=en`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.worklist').waitFor();
}
