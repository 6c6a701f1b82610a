// Simulates the visitors of one trainer whose post went viral. The message `{ url, page, perMinute, seconds }` is answered
// with the bookings' statuses and how long each visitor waited for the page and for the booking. This is a separate process
// with low priority, because the proof of work of its visitors must not slow down the requests that are measured.
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, bookAsVisitor, startsOf } from '../bench/visitor.mjs';

os.setPriority(os.constants.priority.PRIORITY_LOW);

process.on('message', async ({ url, page, perMinute, seconds }) => {
  const result = { visitors: 0, statuses: {}, pages: [], bookings: [] };
  const running = [];
  const began = performance.now();
  while (performance.now() < began + seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 60_000) * perMinute);
    for (; result.visitors < due; result.visitors += 1) running.push(visit(url, page, result));
    await delay(5);
  }
  await Promise.all(running);
  process.send(result);
});
process.once('disconnect', () => process.exit());

/** Opens a location's page and books one of its times, more often an early one. */
async function visit(url, page, result) {
  const began = performance.now();
  await ask(url, 'GET', `/p/${page.slug}/${page.location_id}`);
  result.pages.push(performance.now() - began);
  const starts = await startsOf(url, page);
  const inicio = starts[Math.floor(Math.random() ** 2 * starts.length)];
  if (!inicio) return;
  const { status, ms } = await bookAsVisitor(url, page, inicio);
  result.statuses[status] = (result.statuses[status] ?? 0) + 1;
  result.bookings.push(ms);
}
