import type { MessageTexts } from './lookup-texts.ts';

export const englishMessages: MessageTexts = {
  heading: (name) => `Write to the registrant of ${name}`,
  lead: 'The registry forwards your message. You do not learn the address of the registrant unless they answer.',
  rules: (hours, days) => [
    `First we send you a mail. Your message is forwarded when you open its link and confirm it, within ${hours} hours.`,
    'The registrant sees your name, your e-mail address and your message, and decides whether to answer.',
    `We keep your message for ${days} days.`,
  ],
  labels: { senderName: 'Your name', senderEmail: 'Your e-mail address', message: 'Your message' },
  hints: {
    senderName: 'As the registrant shall see it',
    senderEmail: 'The registrant answers to this address',
    message: '10 to 2,000 characters of plain text; links do not stay clickable',
  },
  faults: {
    senderName: {
      missing: 'Enter your name',
      tooLong: 'Your name may have at most 100 characters',
      tooShort: 'Enter your name',
      wrong: 'Your name may have neither < nor > nor control characters',
    },
    senderEmail: {
      missing: 'Enter your e-mail address',
      tooLong: 'Enter an e-mail address such as mari@example.ee',
      tooShort: 'Enter an e-mail address such as mari@example.ee',
      wrong: 'Enter an e-mail address such as mari@example.ee',
    },
    message: {
      missing: 'Enter your message',
      tooLong: 'Your message may have at most 2,000 characters',
      tooShort: 'Your message must have at least 10 characters',
      wrong: 'Enter a message of plain text',
    },
  },
  faultHeading: 'Please correct the form. Nothing was sent yet.',
  faultTitle: 'Error',
  refused: {
    tooMany:
      'Your message was not sent: too many messages or look-ups came from your network. What you wrote is still here. Please send it again later, tomorrow at the latest.',
    unavailable:
      'Your message was not sent: the registry cannot take messages at the moment. What you wrote is still here. Please send it again in a few minutes.',
  },
  submit: 'Continue',
  sent: [
    'Look into your mailbox',
    ({ hours }) =>
      `We have received your message. Open the link in the mail that we send to you and confirm it within ${hours} hours: only then is your message forwarded.`,
    ({ perSender, perDomain }) =>
      `If no mail comes within a few minutes, look into the folder for spam. There are limits, too: within 24 hours at most ${perSender} messages come from one e-mail address, and at most ${perDomain} go to one registrant. Beyond them we send no mail.`,
  ],
  confirmHeading: (name) => `Your message to the registrant of ${name}`,
  confirmLead: 'Please read it once more. It is forwarded when you press the button.',
  facts: {
    domain: 'Domain',
    from: 'From',
    written: 'Written',
    validUntil: 'Can be sent until',
    text: 'Message',
  },
  forward: 'Send the message',
  outcome: {
    forwarded: [
      'Your message was forwarded.',
      'It is forwarded once only, however often this page is opened. An answer comes to your e-mail address, if the registrant wants to answer.',
    ],
    expired: [
      'The time to confirm is over.',
      'Your message was not forwarded. You can write it again on the look-up page.',
    ],
    unregistered: ['The domain is no longer registered as it was.', 'Your message was not forwarded.'],
    later: [
      'Your message was not forwarded yet.',
      'The registrant has got as many messages today as the registry forwards. Please open this page again later.',
    ],
  },
};
