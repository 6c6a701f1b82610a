// Argon2 at the least cost that it allows: tests sign up and in hundreds of times, and a real hash costs more than the rest of
// such a request. What it costs in production is proven by passwords.service.spec.ts.
const argon2 = require('@node-rs/argon2');

exports.verify = argon2.verify;
exports.hash = (password, options) => argon2.hash(password, { ...options, memoryCost: 8, timeCost: 1 });
