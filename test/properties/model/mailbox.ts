type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
};
export type Page = { readonly status: number; readonly html: string };
type Form = { readonly action: string; readonly fields: URLSearchParams };

/** The mailbox of a registrant, and the pages of its links. */
export class Mailbox {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** The link in the newest mail that asks about a domain. */
  async linkAbout(name: string): Promise<string> {
    const reply = await fetch(`${this.#url}/sandbox/mail`, { headers: { accept: 'application/json' } });
    const mails = (await reply.json()) as Mail[];
    const link = mails.find(({ subject, links }) => subject.includes(name) && links.length > 0)?.links[0];
    if (!link) throw new Error(`no mail asks about ${name}`);
    return link;
  }

  async open(link: string): Promise<Page> {
    const reply = await fetch(link);
    return { status: reply.status, html: await reply.text() };
  }

  /** Presses the button of a form that the page may not have any more. */
  async submitDirectly(link: string, button: string): Promise<Page> {
    const reply = await fetch(link, { method: 'POST', body: new URLSearchParams({ decision: button }) });
    return { status: reply.status, html: await reply.text() };
  }

  /** Presses a button of the page's form. */
  async press(link: string, page: Page, button: string): Promise<Page> {
    const { action, fields } = formOf(page.html, link, button);
    const reply = await fetch(action, { method: 'POST', body: fields, redirect: 'follow' });
    return { status: reply.status, html: await reply.text() };
  }
}

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

function formOf(html: string, link: string, button: string): Form {
  const forms = html.match(/<form[\s\S]*?<\/form>/g) ?? [];
  for (const form of forms) {
    const buttons = form.match(/<button[^>]*>/g) ?? [];
    const pressed = buttons.find((tag) => attribute(tag, 'value') === button);
    if (!pressed) continue;
    const fields = new URLSearchParams();
    for (const tag of form.match(/<input[^>]*>/g) ?? [])
      fields.append(attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '');
    fields.append(attribute(pressed, 'name') ?? '', button);
    return { action: new URL(attribute(form, 'action') ?? link, link).href, fields };
  }
  throw new Error(`the page has no button ${button}: ${html}`);
}
