// Our own rules, which no published package contains.
import path from 'node:path';
import { placeOf, refusedImport, withoutExtension } from './zones.js';

const fromRoot = ({ cwd, filename }) => path.relative(cwd, filename).replaceAll(path.sep, '/');

const isCalled = (node, name) => node.type === 'Identifier' && node.name === name;

/** Deciders use neither the clock nor randomness. */
const noClock = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: 'A decider is pure: time and ids arrive in the command.' });
    return {
      NewExpression(node) {
        if (isCalled(node.callee, 'Date') && node.arguments.length === 0) report(node);
      },
      CallExpression(node) {
        if (isCalled(node.callee, 'Date')) report(node);
      },
      MemberExpression({ object, property }) {
        if (isCalled(object, 'Date') && property.name === 'now') report(object);
        if (isCalled(object, 'Math') && property.name === 'random') report(object);
      },
    };
  },
};

const isMember = ({ type, property }, ...names) =>
  type === 'MemberExpression' && names.includes(property.name);
/** `new Date()`, `clock.now()`, or what is named as an instant: `emitido_em`, `created_at`, `inicio`. */
const isInstant = (node) => {
  if (node.type === 'NewExpression') return isCalled(node.callee, 'Date') && node.arguments.length === 0;
  if (node.type === 'CallExpression')
    return isMember(node.callee, 'toISOString')
      ? isInstant(node.callee.object)
      : isMember(node.callee, 'now');
  const { name } = node.type === 'MemberExpression' ? node.property : node;
  return /^(inicio|fim)$|_(em|at|inicio|fim)$/.test(name ?? '');
};

/** The day, month or year of an instant depends on the time zone; cut from its text, it is that of UTC. */
const noUtcDay = {
  create(context) {
    return {
      CallExpression({ callee, arguments: [from, to] }) {
        const isDay = isMember(callee, 'slice', 'substring') && from?.value === 0 && to?.value <= 10;
        if ((isDay || isMember(callee, 'split')) && isInstant(callee.object))
          context.report({
            node: callee,
            message: 'This is a day of UTC: use dateOf, or dayOf in the browser.',
          });
      },
    };
  },
};

/** Throws, because a disabling comment would also suppress a normal report; an error is shown. */
const noSwitchingOff = {
  create({ filename, sourceCode }) {
    const comment = sourceCode
      .getAllComments()
      .find(({ value }) => /^[\s*]*(oxlint|eslint)-disable/.test(value));
    if (comment) throw new Error(`${filename}:${comment.loc.start.line}: no comment switches a rule off`);
    return {};
  },
};

/** Every file is in a known zone. */
const knownPlace = {
  create(context) {
    return {
      Program(node) {
        if (!placeOf(withoutExtension(fromRoot(context))))
          context.report({ node, message: 'No zone is known for files in this place.' });
      },
    };
  },
};

/** Imports keep to the rules of the zones. */
const zones = {
  create(context) {
    const file = fromRoot(context);
    const look = ({ source, importKind, exportKind }) => {
      if (typeof source?.value !== 'string') return;
      const message = refusedImport(file, source.value, importKind === 'type' || exportKind === 'type');
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: look,
      ImportExpression: look,
      ExportAllDeclaration: look,
      ExportNamedDeclaration: look,
    };
  },
};

export default {
  meta: { name: 'rende' },
  rules: {
    'known-place': knownPlace,
    'no-clock': noClock,
    'no-switching-off': noSwitchingOff,
    'no-utc-day': noUtcDay,
    zones,
  },
};
