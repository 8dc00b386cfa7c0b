// Does nothing: that it is installed is all that matters.
exports.activate = () => {};
