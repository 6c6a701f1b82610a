/** One program, bundled into one file: the server, or, with the name of a command, the command line. */
void (process.argv.length > 2 ? import('./cli.js').then(({ main }) => main()) : import('./main.js'));
