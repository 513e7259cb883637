/** Handles the registry's messages and marks them as read: node messages.ts */
import { connect } from './connect.ts';

const registry = connect();

for await (const message of registry.messages.list({ sort: 'created_at' })) {
  switch (message.type) {
    case 'transferred_away':
      console.log(`stop billing: ${message.domain}`);
      break;
    default:
      console.log(`${message.type}: ${message.text}`);
  }
  // After it was handled: what is interrupted before this line is shown again.
  await registry.messages.acknowledge(message.id);
}
