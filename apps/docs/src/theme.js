// The theme that was chosen in the guides.
document.documentElement.dataset.theme = localStorage.getItem("tsd-theme") ?? "os";
