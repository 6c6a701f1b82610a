// A minimal HTTP server, as a baseline: answers a POST with 201 and the request's body, and a GET with the text in this
// program's argument. Sends its address, and, whenever asked, the CPU seconds that it has used.
import { createServer } from 'node:http';

const headers = { 'content-type': 'application/json; charset=utf-8' };
const [, , text] = process.argv;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, headers);
    response.end(text);
    return;
  }
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    response.writeHead(201, headers);
    response.end(Buffer.concat(parts));
  });
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send((user + system) / 1e6);
});
process.once('disconnect', () => process.exit());
