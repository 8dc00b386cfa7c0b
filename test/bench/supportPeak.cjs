// Loaded into a program before it starts: at its end it says how much memory it had at most, in kilobytes.
process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`));
