import { createRequire } from 'node:module';
import esModules from './native-modules.mjs';

const require = createRequire(import.meta.url);

/** As native-modules.mjs, for packages of CommonJS modules. */
export default {
  getCacheKey: esModules.getCacheKey,
  process: (_source, file) => {
    // Jest reads in this text which names the module exports.
    const names = Object.keys(require(file)).filter((name) => name !== 'default');
    const exported = `0 && (module.exports = { ${names.join(', ')} });`;
    return { code: `module.exports = requireNatively(${JSON.stringify(file)});\n${exported}` };
  },
};
