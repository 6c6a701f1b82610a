// Loaded into a server process: ends it in order when the process that started it is gone, however that one ended.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
