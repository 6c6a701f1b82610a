// Loaded into a server process: shuts it down when its parent process has ended, for whatever reason.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
