// Books sessions, reads students, searches, reads public pages, or sends a body that is refused, as fast as it is answered.
// The first message is `{ trainers, connections }`; each further one is `{ work, url, seconds }` for a run, answered with
// `{ requests, perSecond, p50, p99, refused }` (ms). A trainer has a `token` and `students`, or a `slug`.
import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

const SLOT_MS = 15 * 60_000;
let slot = Date.UTC(2027, 0, 1);
let trainers;
let connections;
let turn = 0;

const work = {
  book: { method: 'POST', setupRequest: nextBooking },
  read: { method: 'GET', setupRequest: nextRead },
  search: {
    method: 'GET',
    setupRequest: (request) => ({ ...nextRead(request), path: '/api/v1/search?q=an' }),
  },
  page: { method: 'GET', setupRequest: nextPage },
  body: {
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    headers: { 'content-type': 'application/json' },
    body: `{${Array.from({ length: 105_000 }, (_, index) => `"k${index}":1`).join()}}`,
  },
};

process.on('message', async (order) => {
  if (order.trainers) {
    ({ trainers, connections } = order);
    return;
  }
  const result = await autocannon({
    url: order.url,
    connections,
    duration: order.seconds,
    requests: [work[order.work]],
  });
  process.send({
    requests: result['2xx'],
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    refused: result.non2xx + result.errors,
  });
});
process.once('disconnect', () => process.exit());

/** A booking for the next trainer; after each round of all trainers, at a later time, so that bookings never overlap. */
function nextBooking(request) {
  const { token, students } = trainers[turn % trainers.length];
  turn += 1;
  if (turn % trainers.length === 0) slot += SLOT_MS;
  return {
    ...request,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      student_id: students[0],
      inicio: new Date(slot).toISOString(),
      fim: new Date(slot + SLOT_MS).toISOString(),
    }),
  };
}

/** A read of the next trainer's student; after each round of all trainers, of the next student. */
function nextRead(request) {
  const { token, students } = trainers[turn % trainers.length];
  const id = students[Math.floor(turn / trainers.length) % students.length];
  turn += 1;
  return { ...request, path: `/api/v1/students/${id}`, headers: { authorization: `Bearer ${token}` } };
}

/** A read of the next public page, each from another IP address, because many reads from one address are refused. */
function nextPage(request) {
  const { slug } = trainers[turn % trainers.length];
  turn += 1;
  const address = `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`;
  return { ...request, path: `/api/v1/public/pages/${slug}`, headers: { 'x-forwarded-for': address } };
}
