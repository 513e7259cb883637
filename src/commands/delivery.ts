import type { Command } from 'commander';
import { listUndelivered } from '../billing/deliveries/delivery-view.ts';
import { retryDeliveries } from '../billing/deliveries/retry-deliveries.ts';
import { outboxCommand } from './outbox-command.ts';

export const deliveryCommand = (): Command =>
  outboxCommand({
    name: 'delivery',
    description: 'messages to other services that were not delivered',
    noun: 'message',
    unsentNoun: 'undelivered message',
    idForm: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    exampleIds: '0b6d2c1e-8a3f-4f57-9a41-6f0c2f4f7a10',
    list: listUndelivered,
    retry: retryDeliveries,
  });
