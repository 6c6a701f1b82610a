// `node test/support/compiled.cjs [arguments]`: runs the built server like Node itself, but with the code that V8 compiled in
// the first run. Tests start hundreds of servers, and half of a start is compiling.
// With RENDE_TEST_COMPILE, the server is compiled again, and the code is stored when the process exits normally.
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const path = require('node:path');
const process = require('node:process');
const { Script } = require('node:vm');

const filename = path.resolve('dist/backend/server.cjs');
const compiled = `${filename}.compiled`;
const isFirst = process.env.RENDE_TEST_COMPILE !== undefined;
const script = new Script(wrap(readFileSync(filename, 'latin1')), {
  filename,
  cachedData: !isFirst && existsSync(compiled) ? readFileSync(compiled) : undefined,
});
if (isFirst) {
  process.on('exit', () => {
    writeFileSync(`${compiled}.part`, script.createCachedData());
    renameSync(`${compiled}.part`, compiled);
  });
}
const requireThere = createRequire(filename);
const requireQuick = Object.assign(
  (name) => (name === '@node-rs/argon2' ? require('./quick-argon2.cjs') : requireThere(name)),
  requireThere,
);
script.runInThisContext()(exports, requireQuick, module, filename, path.dirname(filename));
