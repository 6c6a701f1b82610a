// The least that an HTTP server can do with a POST: answer 201 with the body it got. Tells its address.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' });
    response.end(Buffer.concat(parts));
  });
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.once('disconnect', () => process.exit());
