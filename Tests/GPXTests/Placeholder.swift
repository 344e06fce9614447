import GPX
